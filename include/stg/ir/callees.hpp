// The programs that a program calls: their extents, their arguments, and the merging of equal ones.
#pragma once

#include <stg/base/sequence.hpp>   // sequence
#include <stg/ir/attachments.hpp>  // carry_tags
#include <stg/ir/decisions.hpp>    // scope_ways, is_split
#include <stg/ir/fields.hpp>       // has_callee, attribute_is_extent
#include <stg/ir/program.hpp>      // program

namespace stg::ir {

/// An extent of `from` as one of `to`. Most are integers: a polynomial is large, and dear in constant evaluation.
constexpr extent extent_in(extent e, const program& from, program& to) {
  return e.is_static() ? e : to.intern(from.extents[-1 - e.code]);
}
/// Gives the extents that a statement of `from` names their codes in `to`.
constexpr void intern_extents(statement& s, const program& from, program& to) {
  for (int a = 0; a < s.dims.rank; ++a) s.dims.axes[a] = extent_in(s.dims.axes[a], from, to);
  if (s.is_sequence()) s.over = extent_in(s.over, from, to);
  if (attribute_is_extent(s.code)) set_extent_of(s, extent_in(extent_of(s), from, to));
}

/// Gives the extents of a program and of its callees their codes in another program.
constexpr void recode(program& p, program& to) {
  for (statement& s : p.statements) intern_extents(s, p, to);
  for (label_range& c : p.checks) c.classes = extent_in(c.classes, p, to);
  for (program& c : p.callees) recode(c, to);
}

/// Gives p, and all that it calls, the extents and kinds of a program that knows theirs.
constexpr void take_extents(program& p, const program& of) {
  p.extents = of.extents;
  p.kinds = of.kinds;
  for (program& c : p.callees) take_extents(c, of);
}

/// The values that a scan's step reads, by the entry of the step's inputs.
constexpr sequence<value_id> arguments_of(const program& p, const statement& scan) {
  int n = 0;
  for (value_id at = scan.operands[0]; p[at].code == opcode::bind; at = p[at].operands[0]) ++n;
  sequence<value_id> values(n, no_value);
  for (value_id at = scan.operands[0]; p[at].code == opcode::bind; at = p[at].operands[0])
    values[--n] = p[at].operands[1];
  return values;
}
/// The list of these values.
constexpr value_id emit_arguments(program& p, const sequence<value_id>& values) {
  statement s;
  s.code = opcode::arguments;
  value_id list = p.emit(s);
  s.code = opcode::bind;
  for (value_id v : values) {
    s.operands[0] = list;
    s.operands[1] = v;
    list = p.emit(s);
  }
  return list;
}
/// Whether every element of `list` that `counts` is in `other`.
template <class T, class Counts>
constexpr bool are_among(const sequence<T>& list, const sequence<T>& other, const Counts& counts) {
  for (const T& one : list) {
    bool found = !counts(one);
    for (int k = 0; k < other.size() && !found; ++k) found = other[k] == one;
    if (!found) return false;
  }
  return true;
}
template <class T, class Counts>
constexpr bool say_the_same(const sequence<T>& a, const sequence<T>& b, const Counts& counts) {
  return (a.empty() && b.empty()) || (are_among(a, b, counts) && are_among(b, a, counts));
}
/// Whether the same is decided about two equal programs: of scopes, what it comes to for each value. A decision about a
/// step shared by several calls counts for all of them.
constexpr bool are_decided_alike(const program& a, const program& b) {
  if (!a.decisions.empty() || !b.decisions.empty()) {
    const scope_ways by_a(a), by_b(b);
    const scope_widths wide_a(a), wide_b(b);
    const scope_regions regions_of_a(a), regions_of_b(b);
    const overlapped_scopes overlapped_in_a(a), overlapped_in_b(b);
    for (value_id i = 0; i < a.size(); ++i) {
      if (by_a.of(a[i]) != by_b.of(b[i]) || wide_a.of(a[i]) != wide_b.of(b[i])) return false;
      if (regions_of_a.of(a[i]) != regions_of_b.of(b[i])) return false;
      if (overlapped_in_a.have(a[i]) != overlapped_in_b.have(b[i])) return false;
    }
    const auto counts = [](const decision& d) {
      return d.is_of_values() || (d.whom == decided_of::whole && d.what != decided::keep && d.what != decided::width);
    };
    if (!say_the_same(a.decisions, b.decisions, counts)) return false;
  }
  for (int k = 0; k < a.callees.size(); ++k)
    if (!are_decided_alike(a.callees[k], b.callees[k])) return false;
  return true;
}
/// Whether two equal programs were written in the same scopes, and their values given the same names.
constexpr bool are_named_alike(const program& a, const program& b) {
  if (!(a.scopes == b.scopes) || !(a.scope_sets == b.scope_sets) || !(a.names == b.names)) return false;
  for (value_id i = 0; i < a.size(); ++i)
    if (a[i].scopes != b[i].scopes) return false;
  for (int k = 0; k < a.callees.size(); ++k)
    if (!are_named_alike(a.callees[k], b.callees[k])) return false;
  return true;
}

/// The number of a step among the callees of a program. An equal step with equal decisions is there once,
/// with the tags of both. apart: the scopes must be equal as well, as while a lambda is traced, since a word may yet be
/// said of one of them.
constexpr int callee_number(program& p, const program& step, bool apart = false) {
  int number = 0;
  const auto is_it = [&](const program& c) {
    return c == step && are_decided_alike(c, step) && (!apart || are_named_alike(c, step));
  };
  while (number < p.callees.size() && !is_it(p.callees[number])) ++number;
  if (number == p.callees.size()) {
    p.callees.push_back(step);
  } else if (!step.tags.empty()) {
    sequence<value_id> at;
    for (value_id i = 0; i < step.size(); ++i) at.push_back(i);
    carry_tags(step, p.callees[number], at);
  }
  return number;
}

/// Merges callees that were kept apart while a lambda was traced, if nothing was said about them since.
constexpr void merge_callees(program& p) {
  for (program& c : p.callees) merge_callees(c);
  if (p.callees.size() < 2) return;
  sequence<program> all;
  all.swap(p.callees);
  sequence<int> number;
  for (const program& c : all) number.push_back(callee_number(p, c));
  if (p.callees.size() == all.size()) return;
  for (statement& s : p.statements)
    if (has_callee(s)) s.set_callee(number[s.callee()]);
  p.reserve(p.size());  // and hashes anew the changed statements
}

}  // namespace stg::ir
