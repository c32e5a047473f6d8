// attach: detach(x) is x again, once the gradient that it keeps out is written, or where none will be.
//
// So the two share one value: what was kept apart for the gradient alone is computed and stored once. Runs right after
// autodiff, and after inference where a program is called plainly.
#pragma once

#include <vector>  // vector

#include <stg/ir/program.hpp>  // program

namespace stg::pass {

namespace detail {
constexpr ir::program attached(const ir::program& p) {
  ir::program q = ir::blank_like(p);
  std::vector<ir::value_id> at;
  for (const ir::statement& s : p.statements) {
    const ir::statement copy = ir::renamed(s, at);
    at.push_back(s.code == ir::opcode::detach ? copy.operands[0] : q.emit(copy));
  }
  ir::carry_attachments(p, q, at);
  return q;
}
}  // namespace detail

constexpr ir::program attach(ir::program p) {
  for (const ir::statement& s : p.statements)
    if (s.code == ir::opcode::detach) return detail::attached(p);
  return p;
}

}  // namespace stg::pass
