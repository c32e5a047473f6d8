// Lines of a program's text that are no statements, and the defaults that lines of statements leave out. Run time only.
#pragma once

#include <cstdint>      // int64_t, uint64_t
#include <map>          // map
#include <set>          // set
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/ir/fields.hpp>    // attribute_is_extent
#include <stg/ir/program.hpp>   // program
#include <stg/ir/spelling.hpp>  // spelled

namespace stg::ir::detail {

/// A scope of a program; if two have one name, the later one with its place.
inline std::string scope_text(const program& p, int scope) {
  for (int before = 0; before < scope; ++before)
    if (p.scopes[before] == p.scopes[scope]) return spelled(p.scopes[scope]) + '@' + std::to_string(scope);
  return spelled(p.scopes[scope]);
}

/// A decision in a line of its own: `stored %3`, `apart %3 %5`, `keep scope conv1 inputs`, `keep results`, `width
/// bf16`, `splits`, `overlaps scope conv1`, `few_numbers 1`.
inline std::string decision_line(const program& p, const decision& d) {
  std::string r(decided_words[static_cast<int>(d.what)]);
  if (d.whom == decided_of::scope) r += " scope " + scope_text(p, d.at);
  if (d.is_of_values()) r += ' ' + spelled(d.at);
  if (d.whom == decided_of::pair) r += ' ' + spelled(d.other);
  if (d.what == decided::keep) r += ' ' + std::string(name_of(static_cast<keeping>(d.number)));
  if (d.what == decided::width) r += ' ' + std::string(name_of(width_of(d)));
  if (is_choice(d.what)) r += ' ' + std::to_string(d.number);
  return r + '\n';
}

/// The words of mistakes, as texts have them.
inline constexpr std::string_view mistake_words[] = {"none",
#define STG_MISTAKE(name) #name,
                                                     STG_MISTAKES(STG_MISTAKE)
#undef STG_MISTAKE
                                                         "is_said"};

/// The lines of a program's text behind its statements. Tables whose order follows from the statements are left out.
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
    for (const decision& d : p.decisions) r += decision_line(p, d);
    if (p.scopes_apart) r += "traced\n";
    if (p.wrong != mistake::none) r += "wrong " + std::string(mistake_words[static_cast<int>(p.wrong)]) + '\n';
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
  /// A line for an unread input, and one for a parameter's beginning.
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

  /// Whether a table holds exactly the entries that meet(entry) is called with, in the order of their first calls,
  /// without duplicates.
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
      for (const statement& s : p.statements) each_scope(p, s, meet);
      for (const decision& d : p.decisions)
        if (d.whom == decided_of::scope) meet(d.at);
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

/// The entries that texts leave out: a name that was read before is the same input, and a new name is the next one.
class read_inputs {
 public:
  /// The entry of an input that is read here, by default.
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

}  // namespace stg::ir::detail
