// What readers of signals check alike.
#pragma once

#include <stg/runtime/snapshot.hpp>  // snapshot_edges

#include <cstdint>  // int64_t
#include <string>   // string

namespace stg::detail {

/// The first edge that names a vertex outside [0, vertices): its number, or -1.
inline std::int64_t edge_outside(const snapshot_edges& edges, std::int64_t vertices) {
  for (std::size_t e = 0; e < edges.src.size(); ++e)
    if (edges.src[e] < 0 || edges.src[e] >= vertices || edges.dst[e] < 0 || edges.dst[e] >= vertices)
      return static_cast<std::int64_t>(e);
  return -1;
}

/// "edge 7, 3 -> 20, is none of 20 vertices; …": the end of a sentence about it.
inline std::string outside_sentence(const snapshot_edges& edges, std::int64_t edge, std::int64_t vertices) {
  const auto e = static_cast<std::size_t>(edge);
  return "edge " + std::to_string(edge) + ", " + std::to_string(edges.src[e]) + " -> " + std::to_string(edges.dst[e]) +
         ", is not among " + std::to_string(vertices) + " vertices; expected numbers in [0, " +
         std::to_string(vertices) + ")";
}

}  // namespace stg::detail
