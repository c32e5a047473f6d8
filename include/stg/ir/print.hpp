// A program as text, one readable line per statement, and as a Graphviz graph. Run time only: passes never include it.
#pragma once

#include <algorithm>    // max
#include <map>          // map
#include <set>          // set
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/base/utf8.hpp>    // letters_in
#include <stg/ir/program.hpp>   // program
#include <stg/ir/spelling.hpp>  // spelled, operation_text

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

/// A scope of a program; of two that have one name, the later one with its place.
inline std::string scope_text(const program& p, int scope) {
  for (int before = 0; before < scope; ++before)
    if (p.scopes[before] == p.scopes[scope]) return spelled(p.scopes[scope]) + '@' + std::to_string(scope);
  return spelled(p.scopes[scope]);
}
inline std::string scopes_text(const program& p, const statement& s) {
  std::string r;
  for (int i = 0; i < p.scopes.size(); ++i)
    if (s.scopes >> i & 1) r += (r.empty() ? "" : " ") + scope_text(p, i);
  return r;
}
/// How the scopes of a statement are kept: `keep:inputs`.
inline std::string keeps_text(const statement& s) {
  std::string r;
  for (const keeping way : {keeping::everything, keeping::all_but_edges, keeping::results, keeping::inputs})
    if (s.scopes & keeping_bit(way)) r += (r.empty() ? "keep:" : " keep:") + std::string(name_of(way));
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
/// All of it: `"conv1/score"`, and `"saved":everything` of a word about how a value is kept.
inline std::string whole_name_text(const label& l) {
  return between('"', l.name.view()) + (l.is_name() ? "" : ':' + std::string(name_of(l.keep)));
}
/// `#head` of a value, `#head[0]` of a feature axis, `#people[rows]` and `#days[steps]`.
inline std::string tag_text(const tag& t) {
  const std::string_view word = t.name.view().substr(t.is_promise() ? 1 : 0);
  const bool is_word = !word.empty() && bytes_of_word(word) == word.size();
  const std::string name = '#' + (is_word ? std::string(t.name.view()) : between('\'', t.name.view()));
  return t.axis == tag::rows    ? name + "[rows]"
         : t.axis == tag::steps ? name + "[steps]"
         : t.axis != tag::whole ? name + '[' + std::to_string(t.axis) + ']'
                                : name;
}

/// The names and the tags of each value of a program, gathered once: names without the scopes in front that the line
/// shows anyway, or in full.
class words_of_values {
 public:
  explicit words_of_values(const program& p, bool in_full = false) {
    for (const label& l : p.names) append(names_, l.at, in_full ? whole_name_text(l) : name_text(p, l));
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

/// What a program's text says behind its statements. Tables whose order follows from the statements are not said.
class lines_behind {
 public:
  explicit lines_behind(const program& of) : p(of), first_reader(static_cast<std::size_t>(p.inputs.size()), no_value) {
    for (value_id i = p.size() - 1; i >= 0; --i)
      if (p[i].code == opcode::input) first_reader[static_cast<std::size_t>(p[i].entry())] = i;
  }

  std::string text() const {
    std::string r;
    for (const label_range& c : p.checks) r += check_line(c);
    for (const output& o : p.outputs)
      r += "output " + spelled(o.at) + (o.name.length == 0 ? "" : ' ' + spelled(o.name)) + '\n';
    if (p.forward_outputs != 0) r += "forward_outputs " + std::to_string(p.forward_outputs) + '\n';
    if (p.splits) r += "splits\n";
    if (p.scopes_apart) r += "traced\n";
    for (int e = 0; e < p.inputs.size(); ++e) r += input_lines(e);
    if (!extents_are_met_in_order()) r += "extents" + list(p.extents, [](const polynomial& e) { return spelled(e); });
    if (!scopes_are_met_in_order()) r += "scopes" + list(p.scopes, [](const stg::text& s) { return spelled(s); });
    if (!is_in_order(p.names)) r += "names" + list(p.names, [](const label& l) { return spelled(l.at); });
    if (!is_in_order(p.tags)) r += "tags" + list(p.tags, [](const tag& t) { return spelled(t.at); });
    return r;
  }

 private:
  std::string check_line(const label_range& c) const {
    const bool is_mask = p[c.labels].type == scalar_type::boolean;
    return "check " + spelled(c.labels) + (is_mask ? " names a vertex" : "") +
           (is_mask && c.classes.is_one() ? "" : " in [0, " + spelled(p, c.classes) + ")") +
           (c.mask == no_value ? "" : " where " + spelled(c.mask)) + '\n';
  }
  /// Of an input that nothing reads, and of one that says what it begins with.
  std::string input_lines(int entry) const {
    const value_id reader = first_reader[static_cast<std::size_t>(entry)];
    const input& in = p.inputs[entry];
    const std::string place = '#' + std::to_string(entry);
    std::string r;
    if (reader == no_value)
      r += "unread " + place +
           (in.name.length == 0 ? input_text(p, entry).substr(place.size()) : ' ' + input_text(p, entry)) + '\n';
    if (!in.begins.is_said() && is_zero(in.begins.first) && is_zero(in.begins.second)) return r;
    r += "begins " + (reader == no_value ? place : spelled(reader)) + ' ' + std::string(name_of(in.begins.how));
    if (!is_zero(in.begins.first) || !is_zero(in.begins.second)) r += ' ' + spelled(in.begins.first);
    if (!is_zero(in.begins.second)) r += ' ' + spelled(in.begins.second);
    return r + '\n';
  }
  static bool is_zero(double x) { return __builtin_bit_cast(std::uint64_t, x) == 0; }

  /// Whether a table is that of the entries that meet(entry) is called with, each for the first time, and has none
  /// twice.
  template <class Table, class Each> static bool is_met_in_order(const Table& table, const Each& each) {
    int known = 0;
    bool in_order = true;
    each([&](std::int64_t entry) {
      in_order = in_order && entry <= known;
      known += entry == known;
    });
    for (int k = 0; k < table.size(); ++k)
      for (int before = 0; before < k; ++before) in_order = in_order && !(table[before] == table[k]);
    return in_order && known == table.size();
  }
  bool extents_are_met_in_order() const {
    return is_met_in_order(p.extents, [this](const auto& meet) {
      const auto met = [&](extent e) {
        if (!e.is_static()) meet(-1 - e.code);
      };
      for (const statement& s : p.statements) {
        if (attribute_is_extent(s.code)) met(extent_of(s));
        met(s.over);
        for (int a = 0; a < s.dims.rank; ++a) met(s.dims.axes[a]);
      }
      for (const label_range& c : p.checks) met(c.classes);
    });
  }
  bool scopes_are_met_in_order() const {
    return is_met_in_order(p.scopes, [this](const auto& meet) {
      for (const statement& s : p.statements)
        for (int scope = 0; scope < p.scopes.size(); ++scope)
          if (s.scopes >> scope & 1) meet(scope);
    });
  }
  template <class T> static bool is_in_order(const sequence<T>& all) {
    for (int k = 1; k < all.size(); ++k)
      if (all[k].at < all[k - 1].at) return false;
    return true;
  }
  template <class T, class Spell> static std::string list(const sequence<T>& all, const Spell& spell) {
    std::string r;
    for (const T& one : all) r += (r.empty() ? " " : ", ") + spell(one);
    return r + '\n';
  }

  const program& p;
  std::vector<value_id> first_reader;  // of an input
};

/// The entries of inputs as texts leave them out: a name that was read before is that input, another one the next.
class read_inputs {
 public:
  /// The entry of an input that is read here, if nothing else is said of it.
  int expected(const stg::text& name) const {
    const auto known = by_name.find(std::string(name.view()));
    return known != by_name.end() ? known->second : static_cast<int>(entries.size());
  }
  void add(const stg::text& name, int entry) {
    entries.insert(entry);
    by_name.emplace(name.view(), entry);
  }

 private:
  std::set<int> entries{};
  std::map<std::string, int> by_name{};
};

inline std::string kinds_text(const program& p) {
  std::string r;
  for (const kind& k : p.kinds) {
    r += (k.is_relation() ? "relation " : "set ") + spelled(k.name);
    if (k.is_relation()) r += kind_text(p, k.source) + " ->" + kind_text(p, k.destination);
    r += '\n';
  }
  return r;
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
    const std::string scopes = scopes_text(p, s), keeps = keeps_text(s);
    rows.push_back({left + operands_text(s), where_text(p, s.where), std::string(stg::name_of(s.type)), dims_text(p, s),
                    scopes + (scopes.empty() || keeps.empty() ? "" : " ") + keeps, words.all(i)});
  }
  return columns(rows);
}

/// The steps of scans and what is called, each with its place: `step 0:`, and `step 0.1:` of what step 0 calls itself.
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
/// its fields, operands, space, type, shape, scopes, names and tags; then checks, outputs, vertex sets and relations,
/// and the steps of scans. A value for each of T steps has `T x` before its shape; one of a vertex set or relation has
/// the name of that behind its space.
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
