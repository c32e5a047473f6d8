// What became of a lambda and what it costs: in twenty lines, or with no line cut.
#include "report_summary.hpp"

#include <algorithm>  // max_element, min
#include <cstdio>     // snprintf

#include <stg/base/utf8.hpp>  // first_letters, letters_in

#include "report_costliest.hpp"  // costliest_text, number_of

namespace stg::detail::explained {

namespace {

/// How a summary is written: whole, or a line for each thing; for the sizes given.
struct how {
  bool whole = false;
  int threads = 1;
  const sizes* given = nullptr;
};

// ---- lines ----

constexpr std::size_t first_column = 15, width = 120;

/// What is too long for a line goes on in the next, behind `indent` blanks, with which the first one begins already.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string r;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t letters = utf8::letters_in(std::string_view(text).substr(at, end - at));
    if (column > indent && column + letters > width) {
      r.erase(r.find_last_not_of(' ') + 1);
      r += '\n' + std::string(indent, ' ');
      column = indent;
    }
    r += text.substr(at, end - at) + (end < text.size() ? " " : "");
    column += letters + 1;
    at = end + 1;
  }
  return r + '\n';
}
/// A line: `text` and `end`, and ` ...` for what of text has no room between them. Formulas have their largest terms
/// first.
std::string cut(const std::string& text, const std::string& end = "") {
  const std::string dots = " ...";
  const std::size_t behind = utf8::letters_in(end) + dots.size();
  if (utf8::letters_in(text) + behind - dots.size() <= width) return text + end + '\n';
  const std::size_t room = utf8::first_letters(text, behind < width ? width - behind : 0).size();
  return text.substr(0, text.find_last_not_of(' ', text.rfind(' ', room)) + 1) + dots + end + '\n';
}
std::string entry_label(const std::string& label) {
  return "  " + label + std::string(first_column - utf8::letters_in(label) - 2, ' ');
}
/// `  label      text and end`: what one line has no room for is wrapped in a whole summary, else cut.
std::string entry(bool whole, const std::string& label, const std::string& text, const std::string& end = "") {
  return whole ? entry_label(label) + wrapped(text + end, first_column) : cut(entry_label(label) + text, end);
}
/// Lines that begin behind first_column blanks, with a label before the first.
std::string labelled(bool whole, const std::string& label, const std::string& lines) {
  std::string r;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at) + 1;
    const std::string line = (at == 0 ? entry_label(label) : lines.substr(0, first_column)) +
                             lines.substr(at + first_column, end - 1 - at - first_column);
    r += whole ? line + '\n' : cut(line);
    at = end;
  }
  return r;
}
std::string counted(std::size_t n, const std::string& one, const std::string& many) {
  return std::to_string(n) + ' ' + (n == 1 ? one : many);
}
std::string counted(std::size_t n, const std::string& one) { return counted(n, one, one + 's'); }

// ---- units, traffic, memory ----

/// How many of the kernels need not be compiled in the user's file: `; 3 of 4 kernels come with the library`.
std::string library_text(const std::vector<const program_with_plan*>& programs) {
  int kernels = 0, held = 0;
  for (const program_with_plan* h : programs)
    for (int u = 0; u < h->unit_count(); ++u) {
      kernels += h->has_kernel(u);
      held += h->is_in_library(u);
    }
  return held == 0 ? ""
                   : "; " + std::to_string(held) + " of " + counted(static_cast<std::size_t>(kernels), "kernel") +
                         " come with the library";
}

/// `9 units: 2 dense products, 2 sweeps over edges`.
std::string units_text(const std::vector<const program_with_plan*>& programs) {
  std::size_t units = 0, products = 0, sparse = 0, sweeps = 0, rows = 0, reductions = 0, numbers = 0, scans = 0,
              messages = 0;
  for (const program_with_plan* h : programs)
    for (int u = 0; u < h->unit_count(); ++u) {
      const pass::unit& unit = h->f.units[index(u)];
      ++units;
      if (unit.kind == pass::unit_kind::product || unit.kind == pass::unit_kind::reduced_product)
        ++(h->is_sparse_product(u) ? sparse : products);
      else if (unit.kind == pass::unit_kind::reduction) ++reductions;
      else if (unit.kind == pass::unit_kind::graph) ++numbers;
      else if (unit.kind == pass::unit_kind::scan) ++scans;
      else if (unit.kind == pass::unit_kind::message) ++messages;
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
  if (messages > 0) parts.push_back(counted(messages, "message"));
  if (numbers > 0) parts.push_back(counted(numbers, "of graph values", "of graph values"));
  return counted(units, "unit") + (parts.empty() ? "" : ": " + listed(parts));
}

/// What stands behind a formula: ` = 23668488 bytes (24 MB)` where sizes are given, else the word alone.
std::string number_text(const formula& f, const sizes* given, const std::string& word, const char* millions) {
  if (given == nullptr) return word;
  const std::int64_t number = number_of(f, given);
  const std::string r = " = " + std::to_string(number) + word;
  const double n = static_cast<double>(number) / 1e6;
  char letters[48];
  std::snprintf(letters, sizeof letters, n < 10 ? " (%.2f %s)" : " (%.0f %s)", n, millions);
  return n < 0.1 ? r : r + letters;
}

std::string memory_line(bool whole, const block_use& block, int threads, const sizes* given) {
  std::string text, end;
  if (given != nullptr) {
    text = peak_text(block, threads, whole);
  } else {
    const std::map<int, formula> most = most_alive(block);
    const auto larger = [&](const auto& a, const auto& b) {
      return number_of(a.second, given) < number_of(b.second, given);
    };
    const auto at = std::max_element(most.begin(), most.end(), larger);
    if (at == most.end()) {
      text = "a workspace";
    } else {
      text = at->second.spelled();
      end = " bytes in unit " + std::to_string(at->first) +
            (whole && most.size() > 1 ? " (in another, for other sizes)" : "") + ", and a workspace";
    }
  }
  formula of_edges;
  std::size_t arrays = 0;
  for (const stored_value& v : block.values) {
    if (v.edge_reason.empty()) continue;
    ++arrays;
    of_edges += v.bytes;
  }
  end += arrays > 0
             ? "; " + counted(arrays, "array has", "arrays have") + " a row per edge: " + of_edges.spelled() + " bytes"
         : block.orders_edges ? "; no array has a row per edge, the workspace may have"
                              : "; no array has a row per edge";
  return entry(whole, "memory", text, end);
}

std::string costs_text(bool whole, const std::vector<const program_with_plan*>& programs, const sizes* given) {
  unit_cost total;
  for (const program_with_plan* h : programs) total += total_of(*h);
  return entry(whole, "bytes moved", total.bytes.spelled(), number_text(total.bytes, given, "", "MB")) +
         entry(whole, "operations", total.operations.spelled(), number_text(total.operations, given, "", "million"));
}

/// `inference: 9 units: …`.
std::string title_line(bool whole, const std::string& title, const std::vector<const program_with_plan*>& programs) {
  const std::string text = title + ": " + units_text(programs), end = library_text(programs);
  return whole ? text + end + '\n' : cut(text, end);
}

/// `saved`: lines of its own; `costliest`: so many units.
std::string program_summary(const how& h, const std::string& title,
                            const std::vector<const program_with_plan*>& programs, const block_use& block,
                            const std::string& saved, std::size_t costliest) {
  return title_line(h.whole, title, programs) + costs_text(h.whole, programs, h.given) +
         memory_line(h.whole, block, h.threads, h.given) + saved +
         labelled(h.whole, "costs most", costliest_text(programs, h.given, costliest, first_column));
}

/// A line alone, or with what it costs once.
std::string prologue_summary(const how& as, const std::string& title, const placed_prologue& once,
                             const program_with_plan& h) {
  formula kept;
  for (const stored_value& v : prologue_memory_of(once, h).values)
    if (v.is_callers) kept += v.bytes;
  const std::string arrays = counted(once.kept.size(), "array") + ", ";
  const std::string number = number_text(kept, as.given, " bytes", "MB");
  const std::string head = title + ", once for a graph and fixed inputs";
  if (!as.whole)
    return cut(
        head + ": " + counted(static_cast<std::size_t>(h.unit_count()), "unit") + "; kept " + arrays + kept.spelled(),
        number);
  return title_line(true, head, {&h}) + costs_text(true, {&h}, as.given) +
         entry(true, "kept", arrays + kept.spelled(), number);
}

// ---- training ----

/// What the gradient needs of the forward program, and how it comes by it.
std::string saved_text(const how& as, const compiled_programs& all, const training_halves& programs) {
  const auto& [forward, gradient] = programs;
  formula bytes, alone;
  std::size_t values = 0, drawn = 0, again = 0;
  const sequence<value_id> same = same_in_forward(forward.p, gradient.p, all.connections);
  for (value_id i = 0; i < gradient.p.size(); ++i) {
    const ir::statement& s = gradient.p[i];
    if (s.code == ir::opcode::input) {
      const pass::connection& c = all.connections[index(s.entry())];
      if (c.kind != pass::connection_kind::saved) continue;
      const value_id at = root_of(forward.p, forward.p.outputs[index(c.index)].at);
      ++values;
      bytes += bytes_of_value(forward.p, at);
      if (forward.readers_of(at) == std::vector<std::string>{"the gradient"}) alone += bytes_of_value(forward.p, at);
    } else if (s.code == ir::opcode::keep_mask) {
      ++drawn;
    } else {
      again += is_computed_again(gradient.p, i, same);
    }
  }
  std::string text = "nothing for the gradient", end;
  if (values > 0) {
    text = counted(values, "array") + (as.whole ? " for the gradient: " : ": ") + bytes.spelled();
    end = number_text(bytes, as.given, " bytes", "MB");
    if (as.whole && !alone.is_zero()) end += ", of which " + alone.spelled() + " for the gradient alone";
  }
  std::vector<std::string> rest;
  if (again > 0) rest.push_back(counted(again, "value") + " computed again");
  if (drawn > 0) rest.push_back(counted(drawn, "dropout mask") + " drawn again");
  std::vector<std::string> inputs;
  for (int input : all.required) inputs.emplace_back(forward.p.inputs[index(input)].name.view());
  if (!rest.empty()) end += "; " + listed(rest);
  return entry(as.whole, "saved", text, end) + entry(as.whole, "gradients of", listed(inputs));
}

/// Outputs that bring a cotangent for nothing; no line where there are none.
std::string ignored_text(const how& as, const compiled_programs& all, const training_halves& programs) {
  const ir::program& gradient = programs.gradient.p;
  ir::flags is_read(all.connections.size(), 0);
  for (const ir::statement& s : gradient.statements)
    if (s.code == ir::opcode::input) is_read[s.entry()] = 1;
  std::vector<std::string> outputs;
  for (int e = 0; e < all.connections.size(); ++e) {
    if (is_read[e] || all.connections[e].kind != pass::connection_kind::cotangent) continue;
    const int output = all.provided[all.connections[e].index];
    const std::string_view name = all.canonical.outputs[output].name.view();
    outputs.push_back(name.empty() ? "output " + std::to_string(output) : std::string(name));
  }
  return outputs.empty()
             ? ""
             : entry(as.whole, "ignored", "the cotangent of " + listed(outputs) + "; no gradient depends on it");
}

std::string footnote(bool whole, const sizes* given) {
  const std::string sixteenth = std::to_string(operations_per_byte) + "th";
  const std::string assumed = "|E| = " + std::to_string(edges_per_vertex) + " |V|";
  const std::string extents = "extents of " + std::to_string(some_extent) + "; explain<...>(sizes) ";
  if (!whole)
    return wrapped(
        "A unit is one pass over vertices or edges, or one product. Bytes and operations are at least; costs go by "
        "bytes or a " +
            sixteenth + " of operations" + (given == nullptr ? ", " + assumed + ", " + extents + "has yours, " : "; ") +
            "explain<...>(stg::in_full) has all.",
        0);
  return wrapped(
      "A unit is one pass over vertices or edges, or one product; they run one after the other. Bytes and operations "
      "are at least. What costs most goes by bytes or, where that is more, by a " +
          sixteenth + " of the operations" +
          (given == nullptr ? ", with " + assumed + " and named " + extents + "takes yours." : "."),
      0);
}

}  // namespace

std::string summary_text(const compiled_programs& all, const planned_programs& planned, const sizes* given,
                         bool whole) {
  const how as{whole, all.threads, given};
  std::string r;
  const auto add_prologue = [&](const placed_prologue& once, const std::optional<program_with_plan>& h,
                                const std::string& title) {
    if (h) r += prologue_summary(as, title, once, *h);
  };
  const bool trains = planned.training.has_value();
  // So that it has twenty lines at most, those of prologues among them.
  const std::size_t costliest = whole || !trains ? 3 : 2;
  add_prologue(all.inference_prologue, planned.inference_prologue, "inference");
  r += program_summary(as, "inference", {&planned.inference}, inference_memory_of(all, planned), "", costliest);
  if (trains) {
    r += '\n';
    add_prologue(all.training_prologue, planned.training_prologue, "training");
    r += program_summary(as, "training", {&planned.training->forward, &planned.training->gradient},
                         training_memory_of(all, planned),
                         saved_text(as, all, *planned.training) + ignored_text(as, all, *planned.training),
                         planned.training_prologue ? costliest : 3);
  }
  return r + '\n' + footnote(whole, given);
}

}  // namespace stg::detail::explained
