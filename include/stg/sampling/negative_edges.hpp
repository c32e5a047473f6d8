// Pairs of vertices that are no edges: what links are told apart from.
#pragma once

#include <stg/runtime/graph.hpp>  // edge_list, graph

#include <cstdint>  // int32_t, int64_t, uint64_t
#include <span>     // span
#include <vector>   // vector

namespace stg {

/// The pairs that may be drawn.
struct negative_options {
  bool existing = false;  ///< edges of the graph may come as well, as rarely as they are among all pairs
  bool loops = false;     ///< a vertex and itself may come; of a relation between two sets no pair is that
};

/// `count` pairs, each any of the allowed ones, with replacement. The same number gives the same pairs on every
/// machine. Of a relation (`graphs::relation`) they go from its source set to its destination set. Error when there is
/// no such pair: a graph in which all of them are edges, or without vertices. PyG's negative_sampling.
///
///   const stg::edge_list no_edges = stg::negative_edges(graph, 1024, 7);
edge_list negative_edges(const graph& g, std::int64_t count, std::uint64_t number,
                         const negative_options& options = {});

/// For each source so many destinations, (sources · each), each any of its allowed ones. Errors: a source that is no
/// vertex, and one without an allowed destination, with its position. first: where sources[0] stands among more
/// sources, whose destinations these are.
///
///   const auto wrong = stg::negative_destinations(graph, src, 5, 7);     // of src[i]: from 5 · i on
std::vector<std::int32_t> negative_destinations(const graph& g, std::span<const std::int32_t> sources,
                                                std::int64_t each, std::uint64_t number,
                                                const negative_options& options = {}, std::int64_t first = 0);

}  // namespace stg
