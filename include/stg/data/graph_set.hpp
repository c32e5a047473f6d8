// Many graphs of one file, side by side.
#pragma once

#include <stg/runtime/graph.hpp>   // graph
#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // int32_t, int64_t
#include <vector>   // vector

namespace stg {

/// The disjoint union of graphs, as `batch_graphs` makes it: vertices of the first, then of the second, and so on;
/// edges in the order of the edge list likewise. Of one graph it is that graph.
///
///   stg::loader loader(stg::cluster_sampler(set.graph, set.graph_of), some_graphs, {.batch_size = 128});
struct graph_set {
  stg::graph graph{};
  std::vector<std::int64_t> vertex_offsets{0};  ///< (graphs + 1) graph i has vertices [offset i, offset i + 1)
  std::vector<std::int64_t> edge_offsets{0};    ///< (graphs + 1) and edges of the edge list
  tensor<std::int32_t> graph_of{};              ///< (vertices) which graph each vertex is of

  std::int64_t graphs() const { return static_cast<std::int64_t>(vertex_offsets.size()) - 1; }
};

}  // namespace stg
