// inference: a program as it is called plainly, where dropout keeps everything and training(a, b) is b.
//
// Replaces every random mask by 1; fold then removes the product. A statement that reads a mask for its space or shape,
// such as a sum that a forward program gives its gradient, reads as many ones. Runs before fold.
#pragma once

#include <stg/ir/program.hpp>     // program
#include <stg/ir/rewriting.hpp>   // rewritten
#include <stg/pass/training.hpp>  // chosen
#include <stg/pass/value.hpp>     // broadcast, constant

namespace stg::pass {

namespace detail {

/// Whether a statement does no more to a value than multiply it by its operand k, a mask: 1 in its place is a number of
/// the graph, with neither rows nor axes.
constexpr bool is_scaled(const ir::program& p, const ir::statement& s, int k) {
  if (ir::is_sparse_product(s)) return true;
  if (s.code != ir::opcode::mul) return false;
  const ir::statement& other = p.operand(s, 1 - k);
  return other.code != ir::opcode::keep_mask && other.dims == s.dims && other.where == s.where;
}

}  // namespace detail

constexpr ir::program inference(const ir::program& p) {
  ir::flags is_output(p.size(), 0);
  for (const ir::output& o : p.outputs) is_output[o.at] = 1;
  return ir::rewritten(p, [&](ir::rewriting& r, ir::value_id i) {
    const ir::statement& s = p[i];
    ir::statement copy = r.renamed(i);
    if (s.code == ir::opcode::keep_mask) {
      const value one = constant(r.q, s.type, 1);
      return is_output[i] ? broadcast(one, s.where, s.dims).id : one.id;
    }
    for (int k = 0; k < s.arity(); ++k) {
      const ir::statement& x = p.operand(s, k);
      if (x.code == ir::opcode::keep_mask && !detail::is_scaled(p, s, k))
        copy.operands[k] = broadcast(value{&r.q, copy.operands[k]}, x.where, x.dims).id;
    }
    if (ir::is_call(s)) copy.set_first_site(0);  // it draws nothing now
    return s.code == ir::opcode::training ? detail::chosen(r.q, copy, 1) : r.q.emit(copy);
  });
}

}  // namespace stg::pass
