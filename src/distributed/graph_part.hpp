// The part that a rank has of a graph, before it is one: of a graph that changes, one for each step, over the same
// rows.
#pragma once

#include <stg/runtime/rank_rows.hpp>  // rank_rows

#include "../runtime/graph/graph_state.hpp"  // graph::state, graph_access

#include <memory>   // shared_ptr, unique_ptr
#include <utility>  // move

namespace stg {

struct graph_part {
  std::shared_ptr<graph::state> edges;
  std::unique_ptr<rank_rows> rows;

  /// Both as a graph.
  graph take() {
    edges->ranks = std::move(rows);
    return detail::graph_access::of(std::move(edges));
  }
};

}  // namespace stg
