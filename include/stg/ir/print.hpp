// A program as text, one readable line per statement, and as a Graphviz graph. Run time only: passes never include it.
#pragma once

#include <algorithm>    // max
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/base/utf8.hpp>     // letters_in
#include <stg/ir/decisions.hpp>  // way_of
#include <stg/ir/lines.hpp>      // lines_behind, read_inputs
#include <stg/ir/program.hpp>    // program
#include <stg/ir/spelling.hpp>   // spelled, operation_text

namespace stg::ir {

namespace detail {

/// The shape of a value, with its steps.
inline std::string dims_text(const program& p, const statement& s) {
  return (s.is_sequence() && !is_scan(s.code) ? spelled(p, s.over) + " x " : "") + spelled(p, s.dims);
}

inline std::string operands_text(const statement& s) {
  std::string r;
  for (int k = 0; k < s.arity(); ++k) r += (k > 0 ? ", " : " (") + spelled(s.operands[k]);
  return r.empty() ? r : r + ')';
}

inline std::string scopes_text(const program& p, const statement& s) {
  std::string r;
  each_scope(p, s, [&](int i) { r += (r.empty() ? "" : " ") + scope_text(p, i); });
  return r;
}
/// A name, without the scope in front if the line shows the scope anyway.
inline std::string name_text(const program& p, const label& l) {
  const std::string_view name = l.name.view();
  const std::size_t slash = name.rfind('/');
  bool is_shown = false;
  if (slash != std::string_view::npos)
    each_scope(p, p[l.at], [&](int i) { is_shown = is_shown || p.scopes[i].view() == name.substr(0, slash); });
  return '"' + std::string(is_shown ? name.substr(slash + 1) : name) + '"';
}
/// `#head` of a value, `#head[0]` of a feature axis, `#people[rows]` and `#days[steps]`.
inline std::string tag_text(const tag& t) {
  const std::string_view word = t.name.view();
  const bool is_word = !word.empty() && bytes_of_word(word) == word.size();
  const std::string name = '#' + (is_word ? std::string(word) : between('\'', word));
  return t.axis == tag::rows    ? name + "[rows]"
         : t.axis == tag::steps ? name + "[steps]"
         : t.axis != tag::whole ? name + '[' + std::to_string(t.axis) + ']'
                                : name;
}

/// A decision about one value beside its names, `"saved"`, and beside its tags, `#%stored`; empty if it stands
/// elsewhere.
inline std::string keeping_word(const decision& d) {
  if (d.what != decided::keep || d.whom != decided_of::value) return "";
  switch (way_of(d)) {
    case keeping::everything:
      return "\"saved\"";
    case keeping::all_but_edges:
      return "\"saved but for edges\"";
    case keeping::results:
      return "\"recomputed\"";
    case keeping::inputs:
      return "\"recomputed from inputs\"";
    default:
      return "";
  }
}
inline std::string promise_word(const decision& d) {
  if (d.what == decided::width && d.whom == decided_of::value) return "#%" + std::string(name_of(width_of(d)));
  return promises::is_promise(d) ? "#%" + std::string(decided_words[static_cast<int>(d.what)]) : "";
}

/// The names, tags and decisions of each value of a program, gathered once: without the scopes that the line shows
/// anyway; or names in full and tags alone, as they stand in a text.
class words_of_values {
 public:
  explicit words_of_values(const program& p, bool in_text = false) {
    for (const label& l : p.names) append(names_, l.at, in_text ? between('"', l.name.view()) : name_text(p, l));
    for (const tag& t : p.tags) append(tags_, t.at, tag_text(t));
    for (int k = 0; k < p.decisions.size() && !in_text; ++k) {
      append(names_, p.decisions[k].at, keeping_word(p.decisions[k]));
      append(tags_, p.decisions[k].at, promise_word(p.decisions[k]));
    }
  }
  std::string names(value_id at) const { return of(names_, at); }
  std::string all(value_id at) const {
    const std::string names = of(names_, at), tags = of(tags_, at);
    return names + (names.empty() || tags.empty() ? "" : " ") + tags;
  }

 private:
  using texts = std::vector<std::string>;  // by value, as far as there are any
  static void append(texts& to, value_id at, const std::string& word) {
    if (word.empty()) return;
    const auto place = static_cast<std::size_t>(at);
    if (to.size() <= place) to.resize(place + 1);
    to[place] += (to[place].empty() ? "" : " ") + word;
  }
  static std::string of(const texts& from, value_id at) {
    const auto place = static_cast<std::size_t>(at);
    return place < from.size() ? from[place] : std::string();
  }
  texts names_{}, tags_{};
};
/// The same of one value.
inline std::string names_text(const program& p, value_id at) {
  std::string r;
  const auto add = [&](value_id of, const std::string& word) {
    if (of == at && !word.empty()) r += (r.empty() ? "" : " ") + word;
  };
  for (const label& l : p.names) add(l.at, name_text(p, l));
  for (const decision& d : p.decisions) add(d.at, keeping_word(d));
  return r;
}
inline std::string labels_text(const program& p, value_id at) {
  std::string r = names_text(p, at);
  const auto add = [&](value_id of, const std::string& word) {
    if (of == at && !word.empty()) r += (r.empty() ? "" : " ") + word;
  };
  for (const tag& t : p.tags) add(t.at, tag_text(t));
  for (const decision& d : p.decisions) add(d.at, promise_word(d));
  return r;
}

/// Columns of one width each, two blanks between them, none at the end of a line.
inline std::string columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (widths.size() == c) widths.push_back(0);
      widths[c] = std::max(widths[c], utf8::letters_in(row[c]));
    }
  std::string r;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c)
      line += row[c] + std::string(widths[c] - utf8::letters_in(row[c]) + 2, ' ');
    line.erase(line.find_last_not_of(' ') + 1);
    r += line + '\n';
  }
  return r;
}

/// A text as it stands between quotes in Graphviz.
inline std::string quoted(std::string_view s) {
  std::string r = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') r += '\\';
    r += c;
  }
  return r + '"';
}

inline std::string statements_text(const program& p) {
  const std::size_t digits = std::to_string(p.size() > 0 ? p.size() - 1 : 0).size();
  const words_of_values words(p, true);
  read_inputs inputs;
  std::vector<std::vector<std::string>> rows;
  for (value_id i = 0; i < p.size(); ++i) {
    const statement& s = p[i];
    std::string left = spelled(i);
    left.insert(0, digits + 1 - left.size(), ' ');
    left += " = " + operation_text(p, s);
    if (s.code == opcode::input) {
      const stg::text& name = p.inputs[s.entry()].name;
      if (name.length > 0 && inputs.expected(name) != s.entry()) left += " entry=" + std::to_string(s.entry());
      inputs.add(name, s.entry());
    }
    rows.push_back({left + operands_text(s), where_text(p, s.where), std::string(stg::name_of(s.type)), dims_text(p, s),
                    scopes_text(p, s), words.all(i)});
  }
  return columns(rows);
}

/// The steps of scans and other callees, each with its place: `step 0:`, and `step 0.1:` of a program that step 0
/// calls.
inline std::string steps_text(const program& p, const std::string& place) {
  std::string r;
  int number = 0;
  for (const program& c : p.callees) {
    const std::string here = place + std::to_string(number++);
    r += "step " + here + ":\n" + statements_text(c) + lines_behind(c).text() + steps_text(c, here + '.');
  }
  return r;
}

}  // namespace detail

/// The program as text, from which from_text (text.hpp) makes it again. One line per statement: value, operation with
/// its fields, operands, space, type, shape, scopes, names and tags; then checks, outputs, decisions, vertex sets and
/// relations, and the steps of scans. A value for each of T steps has `T x` before its shape; a value of a named vertex
/// set or relation has this name behind its space.
///
///   %2 = gather_src (%0)     edge    f32  (16)  conv1
///   %3 = sum_edges in (%2)   vertex  f32  (16)  conv1  "conv1/total"
///   output %3
inline std::string to_text(const program& p) {
  return detail::statements_text(p) + detail::lines_behind(p).text() + detail::kinds_text(p) +
         detail::steps_text(p, "");
}

/// The same as a Graphviz graph: a node per statement, coloured by space, and a double frame per output.
///
///   std::ofstream("gat.dot") << stg::ir::to_dot(p);   // dot -Tsvg gat.dot
inline std::string to_dot(const program& p) {
  constexpr std::string_view colours[] = {"lightblue", "lightsalmon", "lightgrey"};  // vertex, edge, graph
  std::string r = "digraph program {\n  node [shape=box, style=filled, fontname=monospace];\n";
  const detail::words_of_values words(p);
  for (value_id i = 0; i < p.size(); ++i) {
    const statement& s = p[i];
    std::string label = detail::spelled(i) + ' ' + detail::operation_text(p, s) + ' ' + detail::where_text(p, s.where) +
                        ' ' + std::string(name_of(s.type)) + ' ' + detail::dims_text(p, s);
    for (const std::string& more : {detail::scopes_text(p, s), words.all(i)})
      if (!more.empty()) label += ' ' + more;
    r += "  v" + std::to_string(i) + " [label=" + detail::quoted(label) +
         ", fillcolor=" + std::string(colours[static_cast<int>(s.where.kind)]) + "];\n";
    for (int k = 0; k < s.arity(); ++k)
      r += "  v" + std::to_string(s.operands[k]) + " -> v" + std::to_string(i) + ";\n";
  }
  int k = 0;
  for (const output& o : p.outputs) {
    const std::string node = "output" + std::to_string(k++);
    const std::string label = o.name.length == 0 ? node : std::string(o.name.view());
    r += "  " + node + " [label=" + detail::quoted(label) + ", peripheries=2, fillcolor=white];\n";
    r += "  v" + std::to_string(o.at) + " -> " + node + ";\n";
  }
  return r + "}\n";
}

}  // namespace stg::ir
