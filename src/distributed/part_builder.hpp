// The graph of a rank, made of the edges of its own vertices.
#pragma once

#include <stg/distributed/cut.hpp>       // cut
#include <stg/runtime/adjacency.hpp>     // adjacency
#include <stg/runtime/communicator.hpp>  // communicator
#include <stg/runtime/graph.hpp>         // graph

#include <cstdint>  // int32_t

namespace stg::detail {

/// Edges of vertices in both directions, with the neighbours and ids of the whole graph: ids ascend in each row, and
/// are consecutive among the edges into a vertex.
struct edges_of_vertices {
  adjacency in{}, out{};
  bool are_of_own_rows = false;                                      // row r is of the rank's row r, else of vertex r
  const std::int32_t *in_degrees = nullptr, *out_degrees = nullptr;  // of each vertex of the whole graph
};

/// The part of a rank: own rows in the order of the cut's blocks, then the halo. Memory beside the part: 4 bytes for
/// each vertex of the whole graph. Errors: more ranks than parts, and 2^31 edges of one rank.
graph build_part(const cut& of, communicator& ranks, const edges_of_vertices& edges);

}  // namespace stg::detail
