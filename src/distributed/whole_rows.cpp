// The rows of all ranks, in the order in which each has its own.
#include "whole_rows.hpp"

#include <memory>   // make_shared
#include <utility>  // move

#include "../runtime/graph/graph_state.hpp"  // graph::state, mixed
#include "../sampling/vertex_numbers.hpp"    // at
#include "cut_state.hpp"                     // cut_access, cut_set

namespace stg::distributed {

void add_whole_rows(const cut& of, graph_part& part) {
  const graph& all = of.whole();
  const detail::cut_set& set = detail::cut_access::state_of(of).plain();
  auto whole = std::make_shared<whole_rows>();
  whole->in = all.in_edges();
  whole->out = all.out_edges();
  whole->vertices = all.vertices();
  whole->edges = all.edges();
  whole->by_rank = set.by_block;
  for (const int block : part.rows->first_block) whole->first_of_rank.push_back(set.block_offsets[detail::at(block)]);
  whole->graph = std::make_shared<const graph>(all);
  part.rows->cut = detail::mixed(part.rows->cut + 1);  // ranks that cut otherwise are told so
  part.rows->whole = std::move(whole);
}

}  // namespace stg::distributed
