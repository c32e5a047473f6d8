// fixed: values of a program that stay the same from call to call when some of its inputs do.
#pragma once

#include <stg/base/sequence.hpp>     // sequence
#include <stg/ir/program.hpp>        // program, flags
#include <stg/analysis/effects.hpp>  // may_keep

namespace stg::pass {

/// fixed[i]: value i is computed from inputs of these entries, constants and the structure of the graph alone, and from
/// nothing random or from other ranks.
constexpr ir::flags fixed_values(const ir::program& p, const sequence<int>& entries) {
  ir::flags fixed(p.statements.size(), 1);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const ir::statement& s = p[i];
    unsigned char& mine = fixed[i];
    if (!may_keep(s.code)) mine = 0;
    if (s.code == ir::opcode::input) {
      mine = 0;
      for (int e : entries) mine = mine || s.entry() == e;
    }
    for (int k = 0; k < s.arity(); ++k) mine = mine && fixed[s.operands[k]];
  }
  return fixed;
}

}  // namespace stg::pass
