// A program in f32 of which a lambda could have said anything about the width of stored rows.
#pragma once

#include "choices.hpp"  // choices

#include <stg/ir/decisions.hpp>  // of_whole, of_scope, wide_as
#include <stg/ir/program.hpp>    // program

namespace stg::test {

/// One type for all, or for a scope, and words about some values: bf16, whose numbers are as large as those of f32.
inline ir::program stored_narrow(ir::program p, choices& c) {
  for (ir::statement& s : p.statements)
    if (s.type == f64) s.type = f32;
  if (c.one_in(2)) p.decide(ir::of_whole(ir::decided::width, static_cast<int>(bf16)));
  if (c.one_in(3)) {
    const int scope = p.scope_number(text("narrow"));
    p.decide(ir::of_scope(ir::decided::width, scope, static_cast<int>(c.one_in(2) ? bf16 : f32)));
    for (ir::statement& s : p.statements)
      if (c.one_in(3)) s.scopes = p.set_with(s.scopes, scope);
  }
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (c.one_in(3) && !ir::is_part_of_scan(p[i].code)) p.decide(ir::wide_as(i, c.one_in(4) ? f32 : bf16));
  for (ir::program& step : p.callees) step = stored_narrow(step, c);
  return p;
}

}  // namespace stg::test
