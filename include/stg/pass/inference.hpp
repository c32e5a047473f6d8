// inference: a program as it is called plainly, where dropout keeps everything and training(a, b) is b.
//
// Replaces every random mask by 1; fold then removes the product. Runs before fold.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program
#include <stg/pass/training.hpp>  // chosen

namespace stg::pass {

constexpr ir::program inference(const ir::program& p) {
  ir::program q = ir::blank_like(p);
  sequence<ir::value_id> at;
  for (const ir::statement& s : p.statements) {
    ir::statement copy = ir::renamed(s, at);
    if (s.code == ir::opcode::keep_mask) {
      copy = ir::statement();
      copy.code = ir::opcode::constant;
      copy.type = s.type;
      copy.number = 1;
    }
    if (ir::is_call(s)) copy.axis = ir::once;  // which draws nothing now
    at.push_back(s.code == ir::opcode::training ? detail::chosen(q, copy, 1) : q.emit(copy));
  }
  ir::carry_attachments(p, q, at);
  return q;
}

}  // namespace stg::pass
