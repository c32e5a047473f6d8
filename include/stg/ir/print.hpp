// A program as text, one readable line per statement, and as a Graphviz graph. Run time only: passes never include it.
#pragma once

#include <algorithm>    // max
#include <charconv>     // to_chars
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/base/utf8.hpp>   // letters_in
#include <stg/ir/program.hpp>  // program

namespace stg::ir {

namespace detail {

/// The shortest text that reads back as the same number.
inline std::string spelled(double x) {
  char letters[32];
  return std::string(letters, std::to_chars(letters, letters + sizeof letters, x).ptr);
}
inline std::string spelled(value_id at) { return at == no_value ? "nothing" : "%" + std::to_string(at); }

/// 2*F+3
inline std::string spelled(const polynomial& p) {
  std::string s;
  for (int i = 0; i < p.count; ++i) {
    const term& t = p.terms[i];
    if (i > 0 && t.coefficient > 0) s += '+';
    if (t.degree == 0) {
      s += std::to_string(t.coefficient);
      continue;
    }
    if (t.coefficient == -1) s += '-';
    else if (t.coefficient != 1) s += std::to_string(t.coefficient) + '*';
    for (int f = 0; f < t.degree; ++f) s += (f > 0 ? "*" : "") + std::string(t.factors[f].view());
  }
  return p.count == 0 ? "0" : s;
}
inline std::string spelled(const program& p, extent e) { return spelled(p.polynomial_of(e)); }
inline std::string spelled(const program& p, const shape& dims) {
  std::string s = "(";
  for (int i = 0; i < dims.rank; ++i) s += (i > 0 ? ", " : "") + spelled(p, dims.axes[i]);
  return s + ')';
}

/// The name of a vertex set or relation after a blank; nothing for the only one of a plain program.
inline std::string kind_text(const program& p, std::int64_t number) {
  return number == 0 ? "" : ' ' + std::string(p.kinds[number - 1].name.view());
}
/// Where a value lives: `vertex`, `vertex paper`.
inline std::string where_text(const program& p, const domain& where) {
  return std::string(name_of(where.kind)) + kind_text(p, where.set);
}

/// The operation with its attributes: `sum_edges in`, `input x`, `slice axis=0 from=4`.
inline std::string operation_text(const program& p, const statement& s) {
  std::string r(name_of(s.code));
  switch (s.code) {
    case opcode::input: {
      const input& in = p.inputs[s.entry()];
      if (in.name.length == 0) return r + " #" + std::to_string(s.entry());
      return r + ' ' + std::string(in.name.view()) + (in.trainable ? " trainable" : "") + (in.sparse ? " sparse" : "");
    }
    case opcode::constant:
      return r + ' ' + spelled(s.number);
    case opcode::extent_value:
      return r + ' ' + spelled(p, s.counted());
    case opcode::keep_mask:
      return r + " p=" + spelled(s.number) + " site=" + std::to_string(s.site());
    case opcode::leaky_relu:
      return r + " slope=" + spelled(s.number);
    case opcode::elu:
      return r + " alpha=" + spelled(s.number);
    case opcode::concat:
      return r + " axis=" + std::to_string(s.axis);
    case opcode::slice:
      return r + " axis=" + std::to_string(s.axis) + " from=" + spelled(p, s.beginning());
    case opcode::pad:
      return r + " axis=" + std::to_string(s.axis) + " at=" + spelled(p, s.beginning());
    case opcode::put:
    case opcode::scatter_sum:
      return r + " of=" + spelled(p, s.beginning());
    case opcode::transpose:
      return r + " axes=" + std::to_string(s.axis) + ',' + std::to_string(s.other_axis());
    case opcode::matmul:
      return r + (s.is_transposed() ? " transposed" : "");
    case opcode::degree:
      return r + ' ' + std::string(name_of(s.side())) + kind_text(p, s.axis);
    case opcode::vertex_count:
      return r + kind_text(p, s.counted_set());
    case opcode::sum_edges:
    case opcode::max_edges:
    case opcode::prod_edges:
    case opcode::var_edges:
    case opcode::first_max_edge:
    case opcode::top_share_edges:
      return r + ' ' + std::string(name_of(s.side()));
    case opcode::scan:
    case opcode::scan_gradient:
      if (is_call(s))
        return r + " once step=" + std::to_string(s.callee()) +
               (first_site(s) == 0 ? "" : " site=" + std::to_string(first_site(s)));
      return r + (s.axis == 1 ? " backwards" : "") + " step=" + std::to_string(s.callee()) +
             " carried=" + spelled(s.number) + " steps=" + spelled(p, s.over);
    case opcode::own_gradient:
      return r + " gradient=" + std::to_string(s.callee());
    case opcode::result:
      return r + ' ' + std::to_string(s.attribute);
    case opcode::reduce_sum:
    case opcode::reduce_max:
    case opcode::reduce_top_share: {
      std::string axes;
      for (int i = 0; i < shape::max_rank; ++i)
        if (s.reduces(i)) axes += (axes.empty() ? "" : ",") + std::to_string(i);
      return r + " axis=" + axes;
    }
    default:
      return r;
  }
}

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
  for (int i = 0; i < p.scopes.size(); ++i)
    if (s.scopes >> i & 1) r += (r.empty() ? "" : " ") + std::string(p.scopes[i].view());
  return r;
}

/// A name, without the scope in front when the line shows that scope anyway.
inline std::string name_text(const program& p, const label& l) {
  const std::string_view name = l.name.view();
  const std::size_t slash = name.rfind('/');
  if (slash != std::string_view::npos)
    for (int i = 0; i < p.scopes.size(); ++i)
      if ((p[l.at].scopes >> i & 1) && p.scopes[i].view() == name.substr(0, slash))
        return '"' + std::string(name.substr(slash + 1)) + '"';
  return '"' + std::string(name) + '"';
}
/// `#head` of a value, `#head[0]` of a feature axis, `#people[rows]` and `#days[steps]`.
inline std::string tag_text(const tag& t) {
  const std::string name = '#' + std::string(t.name.view());
  return t.axis == tag::rows    ? name + "[rows]"
         : t.axis == tag::steps ? name + "[steps]"
         : t.axis != tag::whole ? name + '[' + std::to_string(t.axis) + ']'
                                : name;
}

/// The names and the tags of each value of a program, gathered once.
class words_of_values {
 public:
  explicit words_of_values(const program& p) {
    for (const label& l : p.names) append(names_, l.at, name_text(p, l));
    for (const tag& t : p.tags) append(tags_, t.at, tag_text(t));
  }
  std::string names(value_id at) const { return of(names_, at); }
  std::string all(value_id at) const {
    const std::string names = of(names_, at), tags = of(tags_, at);
    return names + (names.empty() || tags.empty() ? "" : " ") + tags;
  }

 private:
  using texts = std::vector<std::string>;  // by value, as far as there are any
  static void append(texts& to, value_id at, const std::string& word) {
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
  for (const label& l : p.names)
    if (l.at == at) r += (r.empty() ? "" : " ") + name_text(p, l);
  return r;
}
inline std::string labels_text(const program& p, value_id at) {
  std::string r = names_text(p, at);
  for (const tag& t : p.tags)
    if (t.at == at) r += (r.empty() ? "" : " ") + tag_text(t);
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

}  // namespace detail

/// One line per statement: value, operation with attributes, operands, space, type, shape, scopes, names and tags;
/// then outputs,
/// vertex sets and relations, and the steps of scans. A value for each of T steps has `T x` before its shape; one of a
/// vertex set or relation has the name of that behind its space.
///
///   %2 = gather_src (%0)     edge    f32  (16)  conv1
///   %3 = sum_edges in (%2)   vertex  f32  (16)  conv1  "total"
///   output %3
inline std::string to_text(const program& p) {
  const std::size_t digits = std::to_string(p.size() > 0 ? p.size() - 1 : 0).size();
  const detail::words_of_values words(p);
  std::vector<std::vector<std::string>> rows;
  for (value_id i = 0; i < p.size(); ++i) {
    const statement& s = p[i];
    std::string left = detail::spelled(i);
    left.insert(0, digits + 1 - left.size(), ' ');
    rows.push_back({left + " = " + detail::operation_text(p, s) + detail::operands_text(s),
                    detail::where_text(p, s.where), std::string(name_of(s.type)), detail::dims_text(p, s),
                    detail::scopes_text(p, s), words.all(i)});
  }
  std::string r = detail::columns(rows);
  for (const label_range& c : p.checks)
    r += "check " + detail::spelled(c.labels) +
         (p[c.labels].type == scalar_type::boolean ? " names a vertex"
                                                   : " in [0, " + detail::spelled(p, c.classes) + ")") +
         (c.mask == no_value ? "" : " where " + detail::spelled(c.mask)) + '\n';
  for (const output& o : p.outputs)
    r += "output " + detail::spelled(o.at) + (o.name.length == 0 ? "" : ' ' + std::string(o.name.view())) + '\n';
  for (const kind& k : p.kinds) {
    r += (k.is_relation() ? "relation " : "set ") + std::string(k.name.view());
    if (k.is_relation()) r += detail::kind_text(p, k.source) + " ->" + detail::kind_text(p, k.destination);
    r += '\n';
  }
  int number = 0;
  for (const program& c : p.callees) r += "step " + std::to_string(number++) + ":\n" + to_text(c);
  return r;
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
