// fold: computes constants and removes operations without effect: x · 1, x + 0, -(-x), reshape to the same shape, a sum
// of one.
//
// Folds arithmetic only; elementary functions are left to the kernel, which computes them once per row. Rules hold for
// every number, infinities and NaN included (x · 0 is not folded), but for the sign of zero: x + 0 is x. Needs cse's
// operand order for constants on either side.
#pragma once

#include <stg/ir/program.hpp>    // program
#include <stg/ir/rewriting.hpp>  // rewritten
#include <stg/pass/cse.hpp>      // canonical

namespace stg::pass {

namespace detail {

/// A pointwise operation on constants that is exact enough to do in advance.
constexpr bool folds(ir::opcode code) {
  using enum ir::opcode;
  return code == add || code == sub || code == mul || code == div || code == negate || code == min || code == max;
}
constexpr double folded(ir::opcode code, double a, double b) {
  switch (code) {
    case ir::opcode::add:
      return op::add::apply(a, b);
    case ir::opcode::sub:
      return op::sub::apply(a, b);
    case ir::opcode::mul:
      return op::mul::apply(a, b);
    case ir::opcode::div:
      return op::div::apply(a, b);
    case ir::opcode::negate:
      return op::negate::apply(a);
    case ir::opcode::min:
      return op::min::apply(a, b);
    default:
      return op::max::apply(a, b);
  }
}

/// The existing value that a statement equals, or no_value.
constexpr ir::value_id identity(const ir::program& q, const ir::statement& s) {
  using enum ir::opcode;
  auto is = [&](int k, double number) { return q.operand(s, k).code == constant && q.operand(s, k).value() == number; };
  auto same = [&](int k) {  // the operand already has the result's shape and space
    return q.operand(s, k).dims == s.dims && q.operand(s, k).where == s.where ? s.operands[k] : ir::no_value;
  };
  switch (s.code) {
    case mul:
      return is(1, 1) ? same(0) : is(0, 1) ? same(1) : ir::no_value;
    case add:
      return is(1, 0) ? same(0) : is(0, 0) ? same(1) : ir::no_value;
    case sub:
      return is(1, 0) ? same(0) : ir::no_value;
    case div:
      return is(1, 1) ? same(0) : ir::no_value;
    case negate:
      return q.operand(s, 0).code == negate ? q.operand(s, 0).operands[0] : ir::no_value;
    case broadcast_to:
    case reduce_sum:  // along axes of one
    case reduce_max:
      return same(0);
    default:
      return ir::is_view(s) ? same(0) : ir::no_value;
  }
}

/// A reshape of a reshape that one alone can do: a value with steps goes to one with an axis for them, and no further.
constexpr bool is_reshaped_twice(const ir::program& q, const ir::statement& s) {
  if (!ir::is_view(s) || !ir::is_view(q.operand(s, 0))) return false;
  return !s.is_sequence() && !q.operand(q.operand(s, 0), 0).is_sequence();
}

}  // namespace detail

constexpr ir::program fold(const ir::program& p) {
  return ir::rewritten(p, [](ir::rewriting& r, ir::value_id i) {
    ir::program& q = r.q;
    ir::statement s = canonical(r.renamed(i));
    if (detail::is_reshaped_twice(q, s)) s.operands[0] = q.operand(s, 0).operands[0];
    const int arity = s.arity();
    bool constant = detail::folds(s.code) && s.type != scalar_type::i32;
    for (int k = 0; k < arity; ++k) constant = constant && q.operand(s, k).code == ir::opcode::constant;
    if (constant && !(s.code == ir::opcode::div && q.operand(s, 1).value() == 0)) {
      ir::statement c;
      c.code = ir::opcode::constant;
      c.type = s.type;
      c.scopes = s.scopes;
      c.set_value(detail::folded(s.code, q.operand(s, 0).value(), arity > 1 ? q.operand(s, 1).value() : 0));
      return q.emit(c);
    }
    const ir::value_id known = detail::identity(q, s);
    return known != ir::no_value ? known : q.emit(s);
  });
}

}  // namespace stg::pass
