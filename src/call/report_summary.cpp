// What became of a lambda and what it costs, on one screen.
#include "report_summary.hpp"

#include <algorithm>  // max_element, min
#include <cstdio>     // snprintf

#include "report_costliest.hpp"  // costliest_text, number_of

namespace stg::detail::explained {

namespace {

// ---- lines ----

constexpr std::size_t first_column = 15, width = 120;

/// What is too long for a line goes on in the next, behind `indent` blanks, with which the first one begins already.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string r;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (column > indent && column + (end - at) > width) {
      r.erase(r.find_last_not_of(' ') + 1);
      r += '\n' + std::string(indent, ' ');
      column = indent;
    }
    r += text.substr(at, end - at) + (end < text.size() ? " " : "");
    column += end - at + 1;
    at = end + 1;
  }
  return r + '\n';
}
/// `  label      text`.
std::string entry(const std::string& label, const std::string& text) {
  return "  " + label + std::string(first_column - label.size() - 2, ' ') + wrapped(text, first_column);
}
/// Lines that begin behind first_column blanks, with a label before the first.
std::string labelled(const std::string& label, const std::string& lines) {
  return lines.empty() ? "" : "  " + label + lines.substr(label.size() + 2);
}
std::string counted(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + ' ' + (n == 1 ? one : many);
}
std::string counted(std::size_t n, const std::string& one) { return counted(n, one, one + 's'); }

// ---- units, traffic, memory ----

/// How many of the kernels need not be compiled in the user's file: `; 3 of 4 kernels come with the library`.
std::string library_text(const std::vector<const half*>& halves) {
  int kernels = 0, held = 0;
  for (const half* h : halves)
    for (int u = 0; u < h->unit_count(); ++u) {
      kernels += h->has_kernel(u);
      held += h->is_in_library(u);
    }
  return held == 0 ? ""
                   : "; " + std::to_string(held) + " of " + counted(static_cast<std::size_t>(kernels), "kernel") +
                         " come with the library";
}

/// `9 units: 2 dense products, 2 sweeps over edges`.
std::string units_line(const std::vector<const half*>& halves) {
  std::size_t units = 0, products = 0, sparse = 0, sweeps = 0, rows = 0, reductions = 0, numbers = 0, scans = 0;
  for (const half* h : halves)
    for (int u = 0; u < h->unit_count(); ++u) {
      const pass::unit& unit = h->f.units[index(u)];
      ++units;
      if (unit.kind == pass::unit_kind::product || unit.kind == pass::unit_kind::reduced_product)
        ++(h->is_sparse_product(u) ? sparse : products);
      else if (unit.kind == pass::unit_kind::reduction) ++reductions;
      else if (unit.kind == pass::unit_kind::graph) ++numbers;
      else if (unit.kind == pass::unit_kind::scan) ++scans;
      else ++(unit.side == pass::sweep_side::none ? rows : sweeps);
    }
  std::vector<std::string> parts;
  if (products > 0) parts.push_back(counted(products, "dense product"));
  if (sparse > 0) parts.push_back(counted(sparse, "sparse product"));
  if (sweeps > 0) parts.push_back(counted(sweeps, "sweep over edges", "sweeps over edges"));
  if (rows > 0)
    parts.push_back(counted(rows, "sweep over vertices", sweeps > 0 ? "over vertices" : "sweeps over vertices"));
  if (reductions > 0) parts.push_back(counted(reductions, "reduction"));
  if (scans > 0) parts.push_back(counted(scans, "scan"));
  if (numbers > 0) parts.push_back(counted(numbers, "of graph values", "of graph values"));
  return counted(units, "unit") + (parts.empty() ? "" : ": " + listed(parts)) + library_text(halves);
}

/// A formula, and its number where sizes are given, in millions, too.
std::string sized_text(const formula& f, const sizes* given, const std::string& word, const char* millions) {
  std::string r = measure(given)(f) + word;
  if (given == nullptr) return r;
  const double n = static_cast<double>(number_of(f, given)) / 1e6;
  char letters[48];
  std::snprintf(letters, sizeof letters, n < 10 ? " (%.2f %s)" : " (%.0f %s)", n, millions);
  return n < 0.1 ? r : r + letters;
}

std::string peak_line(const block_use& block, int threads, const sizes* given) {
  std::string r;
  if (given != nullptr) {
    r = peak_text(block, threads);
  } else {
    const std::map<int, formula> most = most_alive(block);
    const auto larger = [&](const auto& a, const auto& b) {
      return number_of(a.second, given) < number_of(b.second, given);
    };
    const auto at = std::max_element(most.begin(), most.end(), larger);
    r = at == most.end() ? "a workspace"
                         : at->second.spelled() + " bytes in unit " + std::to_string(at->first) +
                               (most.size() == 1 ? "" : " (in another, for other sizes)") + ", and a workspace";
  }
  formula of_edges;
  std::size_t arrays = 0;
  for (const stored_value& v : block.values) {
    if (v.edge_reason.empty()) continue;
    ++arrays;
    of_edges += v.bytes;
  }
  return r + (arrays == 0 ? block.orders_edges ? "; no array has a row per edge, the workspace may have"
                                               : "; no array has a row per edge"
                          : "; " + counted(arrays, "array has", "arrays have") +
                                " a row per edge: " + of_edges.spelled() + " bytes");
}

std::string costs_text(const std::vector<const half*>& halves, const sizes* given) {
  unit_cost total;
  for (const half* h : halves) total += total_of(*h);
  return entry("bytes moved", sized_text(total.bytes, given, "", "MB")) +
         entry("operations", sized_text(total.operations, given, "", "million"));
}

std::string program_summary(const std::string& title, const std::vector<const half*>& halves, const block_use& block,
                            const std::string& saved, int threads, const sizes* given) {
  return title + ": " + units_line(halves) + '\n' + costs_text(halves, given) +
         entry("memory", peak_line(block, threads, given)) + saved +
         labelled("costs most", costliest_text(halves, given, first_column));
}

std::string prologue_summary(const placed_prologue& once, const half& h, const sizes* given) {
  formula kept;
  for (const stored_value& v : prologue_memory_of(once, h).values)
    if (v.is_callers) kept += v.bytes;
  return "once for a graph and fixed inputs: " + units_line({&h}) + '\n' + costs_text({&h}, given) +
         entry("kept", counted(once.kept.size(), "array") + ", " + measure(given)(kept) + " bytes");
}

// ---- training ----

/// What the gradient needs of the forward program, and how it comes by it.
std::string saved_text(const compiled_programs& all, const training_halves& halves, const sizes* given) {
  const auto& [forward, gradient] = halves;
  formula bytes, alone;
  std::size_t values = 0, drawn = 0, again = 0;
  const sequence<value_id> same = same_in_forward(forward.p, gradient.p, all.connections);
  for (value_id i = 0; i < gradient.p.size(); ++i) {
    const ir::statement& s = gradient.p[i];
    if (s.code == ir::opcode::input) {
      const pass::connection& c = all.connections[index(s.entry())];
      if (c.kind != pass::connection_kind::saved) continue;
      const value_id at = pass::root_of(forward.p, forward.p.outputs[index(c.index)].at);
      ++values;
      bytes += bytes_of_value(forward.p, at);
      if (forward.readers_of(at) == std::vector<std::string>{"the gradient"}) alone += bytes_of_value(forward.p, at);
    } else if (s.code == ir::opcode::keep_mask) {
      ++drawn;
    } else {
      again += is_computed_again(gradient.p, i, same);
    }
  }
  std::string r = values == 0
                      ? "nothing for the gradient"
                      : counted(values, "array") + " for the gradient: " + sized_text(bytes, given, " bytes", "MB");
  if (!alone.is_zero()) r += ", of which " + alone.spelled() + " for the gradient alone";
  std::vector<std::string> rest;
  if (again > 0) rest.push_back(counted(again, "value") + " computed again");
  if (drawn > 0) rest.push_back(counted(drawn, "dropout mask") + " drawn again");
  std::vector<std::string> inputs;
  for (int input : all.required) inputs.emplace_back(forward.p.inputs[index(input)].name.view());
  return entry("saved", rest.empty() ? r : r + "; " + listed(rest)) + entry("gradients of", listed(inputs));
}

std::string footnote(const sizes* given) {
  std::string r =
      "A unit is one pass over vertices or edges, or one product; they run one after the other. Bytes and operations "
      "are at least. What costs most goes by bytes or, where that is more, by a " +
      std::to_string(operations_per_byte) + "th of the operations";
  if (given == nullptr)
    r += ", with |E| = " + std::to_string(edges_per_vertex) + " |V| and named extents of " +
         std::to_string(some_extent) + "; explain<...>(sizes) takes yours";
  return wrapped(r + ". explain<...>(stg::in_full) goes on with every value, unit and array.", 0);
}

}  // namespace

std::string summary_text(const compiled_programs& all, const planned_programs& planned, const sizes* given) {
  std::string r;
  const auto add_prologue = [&](const placed_prologue& once, const std::optional<half>& h, const std::string& title) {
    if (h) r += title + ", " + prologue_summary(once, *h, given);
  };
  add_prologue(all.inference_prologue, planned.inference_prologue, "inference");
  r += program_summary("inference", {&planned.inference}, inference_memory_of(all, planned), "", all.threads, given);
  if (planned.training) {
    r += '\n';
    add_prologue(all.training_prologue, planned.training_prologue, "training");
    r += program_summary("training", {&planned.training->forward, &planned.training->gradient},
                         training_memory_of(all, planned), saved_text(all, *planned.training, given), all.threads,
                         given);
  }
  return r + '\n' + footnote(given);
}

}  // namespace stg::detail::explained
