// The part that a rank has of a graph, before it is one: of a graph that changes, one for each step, over the same
// rows.
#pragma once

#include <stg/distributed/cut.hpp>       // cut
#include <stg/runtime/communicator.hpp>  // communicator
#include <stg/runtime/rank_rows.hpp>     // rank_rows

#include "../runtime/graph/graph_state.hpp"  // graph::state

#include <cstdint>  // int32_t
#include <memory>   // shared_ptr, unique_ptr
#include <vector>   // vector

namespace stg {

struct graph_part {
  std::shared_ptr<graph::state> edges;
  std::unique_ptr<rank_rows> rows;

  /// Both as a graph.
  graph take();
};

/// whole: the graph that is cut, or that of a step. halo: the vertices of other ranks that the part has rows for, in
/// any order; null: those that an edge joins with an own one.
graph_part part_of_graph(const cut& of, const graph& whole, communicator& ranks, const std::vector<std::int32_t>* halo);

/// The vertices of other ranks that an edge joins with an own one, in any order.
std::vector<std::int32_t> neighbours_of_part(const cut& of, const graph& whole, communicator& ranks);

/// Of what is exchanged with each rank, by its number, what is not nothing.
void keep_those_with_any(std::vector<exchanged_rows>& by_rank, std::vector<exchanged_rows>& to);

}  // namespace stg
