// inference: a program as it is called plainly, where dropout keeps everything and training(a, b) is b.
//
// Replaces every random mask by 1; fold then removes the product. What reads a mask for its space or shape, as a sum of
// it that a forward program gives its gradient, reads as many ones. Runs before fold.
#pragma once

#include <stg/ir/program.hpp>     // program
#include <stg/ir/rewriting.hpp>   // rewritten
#include <stg/op/list.hpp>        // info_of
#include <stg/pass/training.hpp>  // chosen
#include <stg/pass/value.hpp>     // broadcast, constant

namespace stg::pass {

namespace detail {

/// Whether a number is as good as a mask: something else says what space and shape the statement has.
constexpr bool takes_number(const ir::program& p, const ir::statement& s) {
  if (ir::is_sparse_product(s)) return true;
  bool is_said = false;
  for (int k = 0; k < s.arity(); ++k) {
    const ir::statement& x = p.operand(s, k);
    is_said = is_said || (x.code != ir::opcode::keep_mask && x.where == s.where && x.dims == s.dims);
  }
  return is_said && op::info_of(s.code).kind == op::category::pointwise;
}

}  // namespace detail

constexpr ir::program inference(const ir::program& p) {
  return ir::rewritten(p, [&p](ir::rewriting& r, ir::value_id i) {
    const ir::statement& s = p[i];
    if (s.code == ir::opcode::keep_mask) return constant(r.q, s.type, 1).id;
    ir::statement copy = r.renamed(i);
    for (int k = 0; k < s.arity(); ++k) {
      const ir::statement& x = p.operand(s, k);
      if (x.code == ir::opcode::keep_mask && !detail::takes_number(p, s))
        copy.operands[k] = broadcast(value{&r.q, copy.operands[k]}, x.where, x.dims).id;
    }
    if (ir::is_call(s)) copy.axis = ir::once;  // which draws nothing now
    return s.code == ir::opcode::training ? detail::chosen(r.q, copy, 1) : r.q.emit(copy);
  });
}

}  // namespace stg::pass
