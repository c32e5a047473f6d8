// training: a program as a training step computes it, where training(a, b) is a.
//
// Runs after autodiff, whose rule gives both their gradients, so that nothing of b is left to compute; and before hoist
// in a program trained with fixed inputs, since a prologue is run plainly. inference is its counterpart.
#pragma once

#include <stg/ir/program.hpp>    // program
#include <stg/ir/rewriting.hpp>  // rewritten
#include <stg/pass/value.hpp>    // broadcast

namespace stg::pass {

namespace detail {
/// Operand k, one of q's, in the place of a training statement: as wide as both together were.
constexpr ir::value_id chosen(ir::program& q, const ir::statement& s, int k) {
  return broadcast(value{&q, s.operands[k]}, s.where, s.dims).id;
}
constexpr ir::program trained(const ir::program& p) {
  return ir::rewritten(p, [](ir::rewriting& r, ir::value_id i) {
    return r.p[i].code == ir::opcode::training ? chosen(r.q, r.renamed(i), 0) : r.copy(i);
  });
}
}  // namespace detail

constexpr ir::program training(ir::program p) {
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::training) return detail::trained(p);
  return p;
}

}  // namespace stg::pass
