// The graph of a rank, made of the edges of its own vertices.
#pragma once

#include <stg/distributed/cut.hpp>       // cut
#include <stg/runtime/adjacency.hpp>     // adjacency
#include <stg/runtime/communicator.hpp>  // communicator
#include <stg/runtime/graph.hpp>         // graph

#include <cstdint>  // int32_t
#include <vector>   // vector

#include "graph_part.hpp"  // graph_part

namespace stg::detail {

/// Edges of vertices in both directions, with the neighbours and ids of the whole graph: ids ascend in each row, and
/// are consecutive among the edges into a vertex.
struct edges_of_vertices {
  adjacency in{}, out{};
  bool are_of_own_rows = false;                                      // row r is of the rank's row r, else of vertex r
  const std::int32_t *in_degrees = nullptr, *out_degrees = nullptr;  // of each vertex of the whole graph
};

/// Those of the graph that is cut, or of a step of one that changes.
inline edges_of_vertices edges_of_all(const graph& whole) {
  return {whole.in_edges(), whole.out_edges(), false, whole.in_degrees().data(), whole.out_degrees().data()};
}

/// The part of a rank: own rows in the order of the cut's blocks, then the halo: the given vertices of other ranks, in
/// any order, or those that an edge joins with an own one. Memory beside the part: 4 bytes for each vertex of the whole
/// graph. Errors: more ranks than parts, and 2^31 edges of one rank.
graph_part build_part(const cut& of, communicator& ranks, const edges_of_vertices& edges,
                      const std::vector<std::int32_t>* halo = nullptr);
/// The vertices of other ranks that an edge joins with an own one, in any order.
std::vector<std::int32_t> neighbours_of_part(const cut& of, communicator& ranks, const edges_of_vertices& edges);

}  // namespace stg::detail
