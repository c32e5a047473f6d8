// inference: a program as it is called plainly, where dropout keeps everything and training(a, b) is b.
//
// Replaces every random mask by 1; fold then removes the product. Runs before fold.
#pragma once

#include <stg/ir/program.hpp>     // program
#include <stg/ir/rewriting.hpp>   // rewritten
#include <stg/pass/training.hpp>  // chosen

namespace stg::pass {

constexpr ir::program inference(const ir::program& p) {
  return ir::rewritten(p, [&p](ir::rewriting& r, ir::value_id i) {
    const ir::statement& s = p[i];
    ir::statement copy = r.renamed(i);
    if (s.code == ir::opcode::keep_mask) {
      copy = ir::statement();
      copy.code = ir::opcode::constant;
      copy.type = s.type;
      copy.number = 1;
    }
    if (ir::is_call(s)) copy.axis = ir::once;  // which draws nothing now
    return s.code == ir::opcode::training ? detail::chosen(r.q, copy, 1) : r.q.emit(copy);
  });
}

}  // namespace stg::pass
