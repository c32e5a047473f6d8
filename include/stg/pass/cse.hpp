// cse: one statement for each computation, whatever scopes it was written in.
//
// Tracing keeps the statements of different scopes apart, and operands of a + b in the order in which they were
// written. This pass merges across scopes (a merged statement keeps both) and sorts the operands of commutative
// operations. Every later pass relies on it: a gradient finds a forward value by emitting it again. Runs first. Random
// operations differ by their site and never merge.
#pragma once

#include <utility>  // swap

#include <stg/ir/program.hpp>    // program
#include <stg/ir/rewriting.hpp>  // rewritten
#include <stg/op/list.hpp>       // info_of

namespace stg::pass {

constexpr ir::statement canonical(ir::statement s) {
  if (op::info_of(s.code).commutative && s.operands[1] < s.operands[0]) std::swap(s.operands[0], s.operands[1]);
  return s;
}

/// Whether all statements are.
constexpr bool is_canonical(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (s.operands[1] < s.operands[0] && s.operands[1] != ir::no_value && op::info_of(s.code).commutative) return false;
  return true;
}

constexpr ir::program cse(const ir::program& p) {
  return ir::rewritten(p, [](ir::rewriting& r, ir::value_id i) { return r.q.emit(canonical(r.renamed(i))); });
}

}  // namespace stg::pass
