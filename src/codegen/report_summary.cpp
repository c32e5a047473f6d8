// What became of a lambda and what it costs, on one screen.
#include "report_summary.hpp"

#include <algorithm>  // max, stable_sort
#include <cstdio>     // snprintf

#include <stg/ir/print.hpp>  // columns, names_text

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
std::string counted(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + ' ' + (n == 1 ? one : many);
}
std::string counted(std::size_t n, const std::string& one) { return counted(n, one, one + 's'); }

// ---- what costs most ----

/// A machine does so many operations while its memory brings a byte.
constexpr std::int64_t operations_per_byte = 16;

/// Sizes that stand in for those that are not given.
constexpr std::int64_t some_vertices = 1'000'000, edges_per_vertex = 16, some_extent = 64;

std::int64_t number_of(const formula& f, const sizes* given) {
  if (given != nullptr) return measure(given).value(f);
  return f.evaluate([](const std::string& name) {
    return name == "|V|"           ? some_vertices
           : name.starts_with('|') ? edges_per_vertex * some_vertices  // |E|, or the entries of a sparse feature
                                   : some_extent;
  });
}

struct costly_unit {
  std::string name, kind, what;
  unit_cost cost;
  std::int64_t weight;  // bytes, or the bytes that memory brings during its operations
};

/// Where a unit's values were written, the names that they were given, and what it makes for the caller.
std::string what_text(const half& h, int at) {
  const pass::unit& unit = h.f.units[index(at)];
  std::uint64_t scopes = 0;
  std::vector<std::string> words, names, gradients;
  const auto take = [&](value_id i) {
    scopes |= h.p[i].scopes;
    if (const std::string name = ir::detail::names_text(h.p, i); !name.empty()) add_once(names, name);
  };
  for (value_id i : unit.statements) {
    take(i);
    for (std::size_t k = 0; k < h.p.outputs.size(); ++k)
      if (pass::root_of(h.p, h.p.outputs[k].at) == i && h.output_readers[k].starts_with("the caller, as "))
        add_once(gradients, h.output_readers[k].substr(std::string("the caller, as ").size()));
  }
  for (const pass::edge_loop& loop : unit.loops)
    for (value_id i : loop.statements) take(i);
  for (std::size_t i = 0; i < h.p.scopes.size(); ++i)
    if (scopes >> i & 1) words.emplace_back(h.p.scopes[i].view());
  words.insert(words.end(), names.begin(), names.end());
  for (const std::string& gradient : gradients) words.push_back(gradient);
  if (words.size() > 4) words.resize(4);
  return joined(words);
}

/// ` of x and W`, ` with W`: what of a product's operands is an input.
std::string operands_text(const half& h, int at) {
  const pass::unit& unit = h.f.units[index(at)];
  if (unit.kind != pass::unit_kind::product) return "";
  std::vector<std::string> names;
  for (int k = 0; k < 2; ++k) {
    const ir::statement& operand = h.p.operand(h.p[unit.statements[0]], k);
    if (operand.code != ir::opcode::input) continue;
    const std::string_view name = h.p.inputs[index(static_cast<int>(operand.attribute))].name.view();
    if (!name.starts_with("saved ")) names.emplace_back(name);
  }
  return names.empty() ? "" : names.size() == 1 ? " with " + names[0] : " of " + names[0] + " and " + names[1];
}

void add_units(std::vector<costly_unit>& units, const half& h, const sizes* given) {
  for (int u = 0; u < h.unit_count(); ++u) {
    const unit_cost cost = cost_of(h.p, h.f, h.plan, u);
    units.push_back({h.unit_name(u), kind_text(h, u) + operands_text(h, u), what_text(h, u), cost,
                     std::max(number_of(cost.bytes, given), number_of(cost.operations, given) / operations_per_byte)});
  }
}

/// The three units that cost most, with their shares where sizes are given.
std::string most_text(std::vector<costly_unit> units, const sizes* given) {
  std::int64_t all = 0;
  for (const costly_unit& u : units) all += u.weight;
  std::stable_sort(units.begin(), units.end(),
                   [](const costly_unit& a, const costly_unit& b) { return a.weight > b.weight; });
  if (units.size() > 3) units.resize(3);
  table lines;
  for (const costly_unit& u : units) {
    std::string cost = u.cost.bytes.spelled() + " bytes";
    if (given != nullptr) {
      const std::int64_t percent = all == 0 ? 0 : (100 * u.weight + all / 2) / all;
      cost = std::to_string(percent) + " %: " + std::to_string(number_of(u.cost.bytes, given)) + " bytes, " +
             std::to_string(number_of(u.cost.operations, given)) + " operations";
    }
    lines.push_back({u.name, u.kind + (u.what.empty() ? "" : " (" + u.what + ')'), cost});
  }
  const std::string rows = indented(ir::detail::columns(lines), first_column);
  return rows.empty() ? "" : "  costs most" + rows.substr(std::string("  costs most").size());
}

// ---- units, traffic, memory ----

/// `9 units: 2 dense products, 2 sweeps over edges`.
std::string units_line(const std::vector<const half*>& halves) {
  std::size_t units = 0, products = 0, sparse = 0, sweeps = 0, rows = 0, reductions = 0, numbers = 0;
  for (const half* h : halves)
    for (int u = 0; u < h->unit_count(); ++u) {
      const pass::unit& unit = h->f.units[index(u)];
      ++units;
      if (unit.kind == pass::unit_kind::product || unit.kind == pass::unit_kind::reduced_product)
        ++(h->is_sparse_product(u) ? sparse : products);
      else if (unit.kind == pass::unit_kind::reduction) ++reductions;
      else if (unit.kind == pass::unit_kind::graph) ++numbers;
      else ++(unit.side == pass::sweep_side::none ? rows : sweeps);
    }
  std::vector<std::string> parts;
  if (products > 0) parts.push_back(counted(products, "dense product"));
  if (sparse > 0) parts.push_back(counted(sparse, "sparse product"));
  if (sweeps > 0) parts.push_back(counted(sweeps, "sweep over edges", "sweeps over edges"));
  if (rows > 0)
    parts.push_back(counted(rows, "sweep over vertices", sweeps > 0 ? "over vertices" : "sweeps over vertices"));
  if (reductions > 0) parts.push_back(counted(reductions, "reduction"));
  if (numbers > 0) parts.push_back(counted(numbers, "of graph values", "of graph values"));
  return counted(units, "unit") + (parts.empty() ? "" : ": " + joined(parts));
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
  std::vector<costly_unit> units;
  for (const half* h : halves) add_units(units, *h, given);
  return title + ": " + units_line(halves) + '\n' + costs_text(halves, given) +
         entry("memory", peak_line(block, threads, given)) + saved + most_text(std::move(units), given);
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
  const std::vector<value_id> same = same_in_forward(forward.p, gradient.p, all.connections);
  for (value_id i = 0; i < gradient.p.size(); ++i) {
    const ir::statement& s = gradient.p[i];
    if (s.code == ir::opcode::input) {
      const pass::connection& c = all.connections[index(static_cast<int>(s.attribute))];
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
  return entry("saved", rest.empty() ? r : r + "; " + joined(rest)) + entry("gradients of", joined(inputs));
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
