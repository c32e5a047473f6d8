// Many small graphs side by side as one.
#pragma once

#include <stg/runtime/graph.hpp>   // graph
#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // int32_t, int64_t
#include <span>     // span
#include <vector>   // vector

namespace stg {

/// The disjoint union of graphs: vertices of the first, then of the second, and so on; so are its edges in the order of
/// the edge list, each graph's in the order of its own, and features are put one below another.
struct graph_union {
  stg::graph graph{};
  std::vector<std::int64_t> vertex_offsets{};  ///< (graphs + 1) graph i has vertices [offset i, offset i + 1)
  std::vector<std::int64_t> edge_offsets{};    ///< (graphs + 1) and edges of the edge list
  tensor<std::int32_t> graph_of{};             ///< (vertices) which graph each vertex is of, readout vertices as well
  tensor<bool> is_readout{};                   ///< (vertices) true at readout vertices

  std::int64_t graphs() const { return static_cast<std::int64_t>(vertex_offsets.size()) - 1; }
  /// The readout vertex of graph i, if there are any.
  std::int64_t readout(std::int64_t i) const { return vertex_offsets.back() + i; }
};

/// Whether each graph gets one vertex more.
struct union_options {
  /// Behind all vertices one for each graph, with an edge from each of its vertices, in their order behind all other
  /// edges: its aggregate over in-edges is the graph's row, and losses of graphs are losses of these vertices.
  bool readout = false;
};

/// Error when all vertices together are beyond 2^31 - 1. Batches of some graphs each come from a `cluster_sampler` with
/// `graph_of` as parts.
///
///   const auto all = stg::batch_graphs(graphs, {.readout = true});
///   stg::loader loader(stg::cluster_sampler(all.graph, all.graph_of), some_graphs, {.batch_size = 128});
graph_union batch_graphs(std::span<const graph> graphs, const union_options& options = {});

}  // namespace stg
