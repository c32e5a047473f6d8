// The part that a rank has of a graph, before it is one: of a graph that changes, one for each step, over the same
// rows.
#pragma once

#include <stg/runtime/rank_rows.hpp>  // rank_rows

#include "../runtime/graph/graph_state.hpp"  // graph::state

#include <memory>  // shared_ptr, unique_ptr
#include <vector>  // vector

namespace stg {

struct graph_part {
  std::shared_ptr<graph::state> edges;
  std::unique_ptr<rank_rows> rows;

  /// Both as a graph.
  graph take();
};

/// Of what is exchanged with each rank, by its number, what is not nothing.
void keep_those_with_any(std::vector<exchanged_rows>& by_rank, std::vector<exchanged_rows>& to);

}  // namespace stg
