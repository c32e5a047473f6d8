// training: a program as a training step computes it, where training(a, b) is a.
//
// Runs after autodiff, whose rule gives both their gradients, so that nothing of b is left to compute; and before hoist
// in a program that is trained with fixed inputs, since a prologue is run plainly. inference is its counterpart.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program
#include <stg/pass/value.hpp>     // broadcast

namespace stg::pass {

namespace detail {
/// Operand k in the place of a training statement whose operands are q's: as wide as both together were.
constexpr ir::value_id chosen(ir::program& q, const ir::statement& s, int k) {
  return broadcast(value{&q, s.operands[k]}, s.where, s.dims).id;
}
constexpr ir::program trained(const ir::program& p) {
  ir::program q = ir::blank_like(p);
  sequence<ir::value_id> at;
  for (const ir::statement& s : p.statements) {
    const ir::statement copy = ir::renamed(s, at);
    at.push_back(s.code == ir::opcode::training ? chosen(q, copy, 0) : q.emit(copy));
  }
  ir::carry_attachments(p, q, at);
  return q;
}
}  // namespace detail

constexpr ir::program training(ir::program p) {
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::training) return detail::trained(p);
  return p;
}

}  // namespace stg::pass
