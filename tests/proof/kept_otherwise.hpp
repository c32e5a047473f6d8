// A program of which a lambda could have said anything about how its values are kept for the gradient.
#pragma once

#include "choices.hpp"  // choices

#include <stg/ir/decisions.hpp>  // of_whole, keep_scope, kept
#include <stg/ir/program.hpp>    // program, keeping
#include <stg/op/list.hpp>       // info_of

namespace stg::test {

/// One way for all, ways for some scopes, words about some values, and promises to store some.
inline ir::program kept_otherwise(ir::program p, choices& c) {
  constexpr keeping ways[] = {keeping::chosen, keeping::everything, keeping::all_but_edges, keeping::results,
                              keeping::inputs};
  p.decide(ir::of_whole(ir::decided::keep, c.below(5)));
  const bool has_scopes = c.one_in(2), has_words = c.one_in(2), has_promises = c.one_in(4);
  if (has_scopes)
    for (const char* name : {"kept", "kept/within", "kept otherwise"}) {
      const int scope = p.scope_number(text(name));
      ir::keep_scope(p, scope, ways[c.below(5)]);
      for (ir::statement& s : p.statements)
        if (c.one_in(4)) s.scopes = p.set_with(s.scopes, scope);
    }
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const bool can_be_stored = p[i].where != ir::space::edge && op::info_of(p[i].code).kind != op::category::source;
    if (has_promises && c.one_in(4) && can_be_stored && !ir::is_part_of_scan(p[i].code))
      p.decide(ir::of_value(ir::decided::stored, i));
    const keeping word = ways[1 + c.below(4)];
    if (!has_words || !c.one_in(4) || ir::is_part_of_scan(p[i].code)) continue;
    p.decide(ir::kept(i, word));
  }
  for (ir::program& step : p.callees) step = kept_otherwise(step, c);
  return p;
}

}  // namespace stg::test
