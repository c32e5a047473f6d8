// Replaces every match of a pattern in a program by the value of a second small program of its wildcards.
#pragma once

#include <stg/base/sequence.hpp>      // sequence
#include <stg/examine/match.hpp>      // pattern, match, matches_of
#include <stg/examine/mistakes.hpp>   // replacement_does_not_fit, rewriting_breaks_a_rule
#include <stg/examine/transform.hpp>  // transform, copied
#include <stg/ir/callees.hpp>         // take_extents
#include <stg/ir/program.hpp>         // program
#include <stg/op/list.hpp>            // info_of
#include <stg/analysis/verify.hpp>    // verify
#include <stg/pass/cse.hpp>           // canonical
#include <stg/pass/dce.hpp>           // dce
#include <stg/pass/value.hpp>         // value, broadcast

namespace stg::examine {

/// Mistakes in a replacement, independent of the program that it is written into.
enum class rule_fault : int {
  none,
  pattern_is_a_wildcard,
  pattern_calls,
  replacement_calls,
  replacement_draws,
  unknown_wildcard,
  unknown_input,
  unknown_extent,
  unknown_edges,
  another_space,
  another_shape,
  another_type
};

namespace detail {

/// Numbers and counts take the type of their neighbours, in a replacement as in the language.
constexpr bool has_no_type(const ir::program& r, ir::value_id at) {
  const ir::opcode code = r[at].code;
  return code == ir::opcode::constant || code == ir::opcode::degree || code == ir::opcode::vertex_count ||
         code == ir::opcode::extent_value;
}
constexpr ir::flags untyped_values(const ir::program& r) {
  ir::flags untyped(r.size(), 0);
  for (ir::value_id i = 0; i < r.size(); ++i) {
    untyped[i] = has_no_type(r, i) || r[i].arity() > 0;
    for (int k = 0; k < r[i].arity(); ++k) untyped[i] = untyped[i] && untyped[r[i].operands[k]];
    if (r[i].code == ir::opcode::cast) untyped[i] = 0;
  }
  return untyped;
}

/// Whether values of one shape can replace values of the other, with both shapes in programs of their own.
constexpr bool shape_fits(const ir::program& r, const ir::shape& narrow, const ir::program& f, const ir::shape& wide) {
  if (narrow.rank > wide.rank) return false;
  for (int a = 0; a < narrow.rank; ++a) {
    const ir::extent mine = narrow.from_right(a);
    if (!mine.is_one() && !(r.polynomial_of(mine) == f.polynomial_of(wide.from_right(a)))) return false;
  }
  return true;
}

constexpr bool names_edges(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if ((s.where == ir::space::edge && s.where.set == 0) || (s.code == ir::opcode::degree && s.relation() == 0))
      return true;
  return false;
}
constexpr bool knows_kinds(const ir::program& f, const ir::program& r) {
  for (const ir::kind& k : r.kinds) {
    bool known = false;
    for (const ir::kind& other : f.kinds) known = known || other.name == k.name;
    if (!known) return false;
  }
  return !names_edges(r) || names_edges(f);
}
/// Every name of an extent is one of the pattern's.
constexpr bool knows_extents(const ir::program& f, const ir::program& r) {
  for (const ir::polynomial& e : r.extents)
    for (int t = 0; t < e.count; ++t)
      for (int k = 0; k < e.terms[t].degree; ++k) {
        bool known = false;
        for (const ir::polynomial& other : f.extents)
          for (int o = 0; o < other.count; ++o)
            for (int n = 0; n < other.terms[o].degree; ++n)
              known = known || other.terms[o].factors[n] == e.terms[t].factors[k];
        if (!known) return false;
      }
  return true;
}
constexpr bool calls(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (ir::is_part_of_scan(s.code)) return true;
  return false;
}

/// Writes a replacement into the copy of a program, in the place of a match.
class replacing {
 public:
  constexpr replacing(const pattern& by, const ir::program& replacement)
      : f(by), r(replacement), untyped(untyped_values(r)), needed(pass::reachable(r)) {}

  constexpr pass::value written(const copied& c, const match& m) const {
    ir::program& q = c.into();
    const ir::statement old = c.statement();
    sequence<ir::value_id> at(r.size(), ir::no_value);
    for (ir::value_id i = 0; i < r.size(); ++i) {
      if (!needed[i] || untyped[i]) continue;  // a value without a type is written at its readers
      if (i < f.wildcards.size()) at[i] = c.copy_of(m.found[i]).id;
      else if (r[i].code == ir::opcode::input) at[i] = c.copy_of(m.found[symbol_of(i)]).id;
      else at[i] = emitted(q, m, i, at, old);
    }
    const ir::value_id last = r.outputs[0].at;
    if (untyped[last]) at[last] = typed(q, m, last, old, old.type);
    return in_place(pass::value{&q, at[last]}, old, m);
  }

 private:
  constexpr ir::value_id emitted(ir::program& q, const match& m, ir::value_id i, const sequence<ir::value_id>& at,
                                 const ir::statement& old) const {
    ir::statement s = r[i];
    scalar_type type = old.type;
    const int first = s.code == ir::opcode::select ? 1 : 0;  // a condition tells no type
    for (int k = s.arity() - 1; k >= first; --k)
      if (!untyped[s.operands[k]]) type = q[at[s.operands[k]]].type;
    for (int k = 0; k < s.arity(); ++k) {
      const ir::value_id x = s.operands[k];
      const bool is_index = k == 1 && op::goes_by_label(op::info_of(s.code).moves);
      s.operands[k] = untyped[x] ? typed(q, m, x, old, is_index ? i32 : type) : at[x];
    }
    return finished(q, m, s, old);
  }
  /// A value of numbers and counts alone, in a type.
  constexpr ir::value_id typed(ir::program& q, const match& m, ir::value_id i, const ir::statement& old,
                               scalar_type type) const {
    ir::statement s = r[i];
    for (int k = 0; k < s.arity(); ++k) s.operands[k] = typed(q, m, s.operands[k], old, type);
    if (s.arity() == 0) s.type = type;
    return finished(q, m, s, old);
  }
  /// In the terms of the new program: its extents, inputs, vertex sets and relations.
  constexpr ir::value_id finished(ir::program& q, const match& m, ir::statement s, const ir::statement& old) const {
    const auto extent_of = [&](ir::extent e) { return q.intern(substituted(r.polynomial_of(e), m)); };
    int set = 0;
    ir::each_scope(r, s, [&](int k) { set = q.set_with(set, q.scope_number(r.scopes[k])); });
    s.scopes = set;
    for (int a = 0; a < s.dims.rank; ++a)
      if (op::info_of(s.code).brings_shape || s.arity() == 0) s.dims.axes[a] = extent_of(s.dims.axes[a]);
    if (ir::attribute_is_extent(s.code)) ir::set_extent_of(s, extent_of(ir::extent_of(s)));
    ir::renumber_kinds(s, [&](int number) { return number_in(q, r, number); });
    if (m.relation > 0 && s.where == ir::space::edge && s.where.set == 0) s.where.set = m.relation;
    if (m.relation > 0 && s.code == ir::opcode::degree && s.relation() == 0) {
      s.set_relation(m.relation);
      s.where.set = q.owner_set(m.relation, s.side());
    } else if (s.where == ir::space::vertex && s.where.set == 0 && old.where == ir::space::vertex) {
      s.where.set = old.where.set;
    }
    op::info_of(s.code).infer(q, s);
    return q.emit(pass::canonical(s));
  }
  /// The pattern's statement that reads the same input; there is one (rule_fault::unknown_input).
  constexpr ir::value_id symbol_of(ir::value_id i) const {
    ir::value_id k = f.wildcards.size();
    while (f.program[k].code != ir::opcode::input ||
           !(f.program.inputs[f.program[k].entry()] == r.inputs[r[i].entry()]))
      ++k;
    return k;
  }
  /// Repeated over the space and axes of the replaced value, if it is narrower.
  static constexpr pass::value in_place(pass::value x, const ir::statement& old, const match& m) {
    const bool fits_space = x.where() == old.where || x.where() == ir::space::graph;
    if (!fits_space || x.type() != old.type || !(ir::broadcast(x.dims(), old.dims).dims == old.dims) ||
        !ir::broadcast(x.dims(), old.dims).ok)
      throw replacement_does_not_fit(m.root().at);
    return pass::broadcast(x, old.where, old.dims);
  }

  const pattern& f;
  const ir::program& r;
  ir::flags untyped;  // made of numbers and counts alone
  ir::flags needed;
};

template <class Condition>
constexpr ir::program rewritten(const ir::program& p, const pattern& f, const replacing& by, const Condition& condition,
                                int& taken) {
  const sequence<match> all = matches_of(p, f, condition);
  sequence<int> number(p.size(), -1);
  int here = 0;
  for (int k = 0; k < all.size(); ++k)
    if (all[k].what == verdict::taken) number[all[k].root().at] = (++here, k);
  ir::program q = p;
  if (here > 0)
    q = pass::dce(transform(
        p, [&](const copied& c) { return number[c.from()] < 0 ? c.same() : by.written(c, all[number[c.from()]]); }));
  taken += here;
  for (int k = 0; k < q.callees.size(); ++k) {
    ir::program step = q.callees[k];
    step.extents = q.extents;
    step = rewritten(step, f, by, condition, taken);
    q.extents = step.extents;
    q.callees[k] = step;
  }
  for (ir::program& c : q.callees) ir::take_extents(c, q);
  return q;
}

}  // namespace detail

/// The mistake in a rule, independent of the program; rule_fault::none: no mistake.
constexpr rule_fault fault_of(const pattern& f, const ir::program& r) {
  const ir::program& p = f.program;
  const int wildcards = f.wildcards.size();
  if (f.root() < wildcards) return rule_fault::pattern_is_a_wildcard;
  if (detail::calls(p)) return rule_fault::pattern_calls;
  if (detail::calls(r)) return rule_fault::replacement_calls;
  const ir::flags found = pass::reachable(p), needed = pass::reachable(r);
  for (ir::value_id i = 0; i < r.size(); ++i) {
    if (!needed[i]) continue;
    if (i < wildcards && !found[i]) return rule_fault::unknown_wildcard;
    if (r[i].code == ir::opcode::keep_mask) return rule_fault::replacement_draws;
    if (i < wildcards || r[i].code != ir::opcode::input) continue;
    bool known = false;
    for (ir::value_id k = wildcards; k < p.size(); ++k)
      known = known || (found[k] && p[k].code == ir::opcode::input && p.inputs[p[k].entry()] == r.inputs[r[i].entry()]);
    if (!known) return rule_fault::unknown_input;
  }
  if (!detail::knows_extents(p, r)) return rule_fault::unknown_extent;
  if (!detail::knows_kinds(p, r)) return rule_fault::unknown_edges;
  const ir::statement &old = p[f.root()], &replacing = r[r.outputs[0].at];
  if (replacing.where != ir::space::graph && replacing.where.kind != old.where.kind) return rule_fault::another_space;
  if (!detail::shape_fits(r, replacing.dims, p, old.dims)) return rule_fault::another_shape;
  if (!detail::untyped_values(r)[r.outputs[0].at] && replacing.type != old.type) return rule_fault::another_type;
  return rule_fault::none;
}

/// p and the steps of its scans, with the replacement in the place of every taken match, repeated over axes and space
/// of the replaced value if it is narrower. Values without readers are left out; a program without a taken match comes
/// back as it is. Numbers and counts in a replacement take the type of their neighbours. Linear. Throws
/// replacement_does_not_fit, and rewriting_breaks_a_rule if p broke one before.
template <class Condition>
constexpr ir::program rewrite(const ir::program& p, const pattern& f, const ir::program& replacement,
                              const Condition& condition) {
  int taken = 0;
  const ir::program q = detail::rewritten(p, f, detail::replacing(f, replacement), condition, taken);
  if (taken == 0) return p;
  const pass::finding found = pass::verify(q);
  if (found.what != op::rule::none) throw rewriting_breaks_a_rule(found.at);
  return q;
}

}  // namespace stg::examine
