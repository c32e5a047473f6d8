// A program of which a lambda could have said anything about how its values are kept for the gradient.
#pragma once

#include "choices.hpp"  // choices

#include <stg/ir/program.hpp>  // program, keeping

namespace stg::test {

/// One way for all, ways for some statements as scopes have them, and words about some values.
inline ir::program kept_otherwise(ir::program p, choices& c) {
  constexpr keeping ways[] = {keeping::chosen, keeping::everything, keeping::all_but_edges, keeping::results,
                              keeping::inputs};
  const keeping of_all = ways[c.below(5)];
  const bool has_scopes = c.one_in(2), has_words = c.one_in(2);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const keeping way = has_scopes && c.one_in(3) ? ways[c.below(5)] : of_all;
    p.statements[i].scopes = (p.statements[i].scopes & ir::scope_bits) | ir::keeping_bit(way);
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
