// Shapes that a statement brings itself, if its operands leave some open: whether they suit its operands.
#pragma once

#include <cstdint>  // int64_t

#include <stg/ir/program.hpp>  // program
#include <stg/op/list.hpp>     // rule

namespace stg::pass {

namespace detail {

/// Steps in front of the shape, or one axis in front as steps.
constexpr bool stacks(const ir::statement& from, const ir::statement& to) {
  const ir::statement &flat = from.is_sequence() ? to : from, &steps = from.is_sequence() ? from : to;
  if (flat.is_sequence() || flat.dims.rank != steps.dims.rank + 1 || !(flat.dims.axes[0] == steps.over)) return false;
  for (int a = 0; a < steps.dims.rank; ++a)
    if (!(flat.dims.axes[a + 1] == steps.dims.axes[a])) return false;
  return true;
}
constexpr bool same_but_for_axis(const ir::shape& x, const ir::statement& s) {
  if (x.rank != s.dims.rank || s.part_axis() < 0 || s.part_axis() >= s.dims.rank) return false;
  for (int i = 0; i < x.rank; ++i)
    if (i != s.part_axis() && !(x.axes[i] == s.dims.axes[i])) return false;
  return true;
}
/// The begin and length of a part of an axis, within a longer one; run-time extents are checked when bound.
constexpr bool fits(std::int64_t begin, ir::extent length, ir::extent whole) {
  if (begin < 0 || !length.is_static() || !whole.is_static()) return true;
  return begin <= whole.code && length.code <= whole.code - begin;
}
constexpr bool adds_up(const ir::program& p, const ir::statement& s) {
  const ir::extent a = p.operand(s, 0).dims.axes[s.part_axis()], b = p.operand(s, 1).dims.axes[s.part_axis()],
                   sum = s.dims.axes[s.part_axis()];
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

}  // namespace detail

/// The rule that the shape of s breaks; none for all other operations.
constexpr op::rule own_shape(const ir::program& p, const ir::statement& s) {
  using rule = op::rule;
  const ir::shape& from = p.operand(s, 0).dims;
  bool ok = true;
  switch (s.code) {
    case ir::opcode::reshape:
      ok = p.operand(s, 0).is_sequence() || s.is_sequence() ? detail::stacks(p.operand(s, 0), s)
                                                            : detail::same_number_of_elements(p, from, s.dims);
      break;
    case ir::opcode::concat:
      ok = detail::same_but_for_axis(from, s) && detail::same_but_for_axis(p.operand(s, 1).dims, s) &&
           detail::adds_up(p, s);
      break;
    case ir::opcode::slice:
      ok = detail::same_but_for_axis(from, s);
      if (ok && !detail::fits(s.beginning().code, s.dims.axes[s.part_axis()], from.axes[s.part_axis()]))
        return rule::part_lies_within_axis;
      break;
    case ir::opcode::pad:
      ok = detail::same_but_for_axis(from, s) &&
           detail::fits(s.beginning().code, from.axes[s.part_axis()], s.dims.axes[s.part_axis()]);
      break;
    case ir::opcode::reduce_sum:
    case ir::opcode::reduce_max:
    case ir::opcode::reduce_top_share:
    case ir::opcode::softmax_axes:
      ok = s.axes() > 0 && s.axes() >> s.dims.rank == 0;
      break;
    default:
      break;
  }
  return ok ? rule::none : rule::shape_follows_from_operands;
}

}  // namespace stg::pass
