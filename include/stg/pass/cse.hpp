// cse: one statement for each computation, whatever scopes it was written in.
//
// Tracing keeps the statements of different scopes apart, and operands of a + b in the order in which they were
// written. This pass merges across scopes (a merged statement keeps both) and sorts the operands of commutative
// operations. Every later pass relies on it: a gradient finds the forward value that it needs by emitting it again.
// Runs first. Random operations differ by their site and never merge.
#pragma once

#include <utility>  // swap

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program
#include <stg/op/list.hpp>        // info_of

namespace stg::pass {

constexpr ir::statement canonical(ir::statement s) {
  if (op::info_of(s.code).commutative && s.operands[1] < s.operands[0]) std::swap(s.operands[0], s.operands[1]);
  return s;
}

constexpr ir::program cse(const ir::program& p) {
  ir::program q = ir::blank_like(p);
  sequence<ir::value_id> at;
  for (const ir::statement& s : p.statements) at.push_back(q.emit(canonical(ir::renamed(s, at))));
  ir::carry_attachments(p, q, at);
  return q;
}

}  // namespace stg::pass
