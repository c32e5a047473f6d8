// Conditions of operations along feature axes: of their operands, and of shapes that statements bring themselves.
#pragma once

#include <cstdint>  // int64_t

#include <stg/ir/program.hpp>    // program
#include <stg/op/operation.hpp>  // rule

namespace stg::op {

/// A value of space b may stand next to one of space a.
constexpr bool can_join(const ir::domain& a, const ir::domain& b) {
  return a == b || a == ir::space::graph || b == ir::space::graph;
}
/// An entry goes by one label.
constexpr rule choosing(const ir::program& p, const ir::statement& s) {
  const ir::statement& index = p.operand(s, 1);
  if (!can_join(p.operand(s, 0).where, index.where)) return rule::spaces_agree;
  if (index.type != scalar_type::i32) return rule::scalar_types_agree;
  return index.dims.rank == 0 ? rule::none : rule::shape_follows_from_operands;
}
/// Axes of a reduction are axes of the result.
constexpr rule reduced_axes(const ir::statement& s) {
  const bool ok = s.axes() > 0 && s.axes() >> s.dims.rank == 0;
  return ok ? rule::none : rule::shape_follows_from_operands;
}

/// Steps in front of the shape, or one axis in front as steps.
constexpr bool stacks(const ir::statement& from, const ir::statement& to) {
  const ir::statement &flat = from.is_sequence() ? to : from, &steps = from.is_sequence() ? from : to;
  if (flat.is_sequence() || flat.dims.rank != steps.dims.rank + 1 || !(flat.dims.axes[0] == steps.over)) return false;
  for (int a = 0; a < steps.dims.rank; ++a)
    if (!(flat.dims.axes[a + 1] == steps.dims.axes[a])) return false;
  return true;
}
constexpr bool same_but_for_axis(const ir::shape& x, const ir::statement& s) {
  const int axis = s.part_axis();
  if (x.rank != s.dims.rank || axis < 0 || axis >= s.dims.rank) return false;
  for (int i = 0; i < x.rank; ++i)
    if (i != axis && !(x.axes[i] == s.dims.axes[i])) return false;
  return true;
}
/// The begin and length of a part of an axis, within a longer one; run-time extents are checked when bound.
constexpr bool fits(std::int64_t begin, ir::extent length, ir::extent whole) {
  if (begin < 0 || !length.is_static() || !whole.is_static()) return true;
  return begin <= whole.code && length.code <= whole.code - begin;
}
constexpr bool adds_up(const ir::program& p, const ir::statement& s) {
  const int axis = s.part_axis();
  const ir::extent a = p.operand(s, 0).dims.axes[axis], b = p.operand(s, 1).dims.axes[axis], sum = s.dims.axes[axis];
  if (a.is_static() && b.is_static()) return sum.is_static() && a.code + b.code == sum.code;
  const ir::polynomial x = p.polynomial_of(a), y = p.polynomial_of(b);
  if (x.count + y.count > ir::polynomial::max_terms) return true;  // too long to add up here: taken on trust
  return x + y == p.polynomial_of(sum);
}

constexpr bool can_multiply(const ir::program& p, const ir::shape& dims) {
  int terms = 1, degree = 0;
  for (int i = 0; i < dims.rank; ++i) {
    if (dims.axes[i].is_static()) continue;
    const ir::polynomial x = p.polynomial_of(dims.axes[i]);
    terms *= x.count;
    degree += x.terms[0].degree;  // the highest: terms are sorted by it
  }
  return terms <= ir::polynomial::max_terms && degree <= ir::term::max_factors;
}
constexpr bool same_number_of_elements(const ir::program& p, const ir::shape& a, const ir::shape& b) {
  if (a.is_static() && b.is_static()) return a.size() == b.size();
  if (a == b || !can_multiply(p, a) || !can_multiply(p, b)) return true;  // too large to multiply here: taken on trust
  return p.size_of(a) == p.size_of(b);
}

}  // namespace stg::op
