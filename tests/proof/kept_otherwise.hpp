// A program of which a lambda could have said anything about how its values are kept for the gradient.
#pragma once

#include "choices.hpp"  // choices

#include <stg/ir/program.hpp>  // program, keeping
#include <stg/ir/promise.hpp>  // stored_tag
#include <stg/op/list.hpp>     // info_of

namespace stg::test {

/// One way for all, ways for some statements as scopes have them, words about some values, and promises to store some.
inline ir::program kept_otherwise(ir::program p, choices& c) {
  constexpr keeping ways[] = {keeping::chosen, keeping::everything, keeping::all_but_edges, keeping::results,
                              keeping::inputs};
  const keeping of_all = ways[c.below(5)];
  const bool has_scopes = c.one_in(2), has_words = c.one_in(2), has_promises = c.one_in(4);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const keeping way = has_scopes && c.one_in(3) ? ways[c.below(5)] : of_all;
    p.statements[i].scopes = (p.statements[i].scopes & ir::scope_bits) | ir::keeping_bit(way);
    const bool can_be_stored = p[i].where != ir::space::edge && op::info_of(p[i].code).kind != op::category::source;
    if (has_promises && c.one_in(4) && can_be_stored && !ir::is_part_of_scan(p[i].code))
      p.tags.push_back(ir::tag{text(ir::stored_tag), i});
    const keeping word = ways[1 + c.below(4)];
    if (!has_words || !c.one_in(4) || ir::is_part_of_scan(p[i].code)) continue;
    ir::label l;
    l.at = i;
    l.keep = word;
    p.names.push_back(l);
  }
  for (ir::program& step : p.callees) step = kept_otherwise(step, c);
  return p;
}

}  // namespace stg::test
