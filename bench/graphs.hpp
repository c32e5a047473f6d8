// The graphs that figures are measured on: two made from a fixed seed, and data sets that are found or reported
// missing.
#pragma once

#include <stg/data/dataset.hpp>   // node_classification
#include <stg/runtime/graph.hpp>  // graph

#include <cstdint>   // int64_t, uint64_t
#include <optional>  // optional
#include <string>    // string
#include <vector>    // vector

namespace graphs {

/// What a made graph looks like before both directions and the loops are added.
struct recipe {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;                        // undirected, no two alike, no loops
  std::int64_t uniform = 0;                      // of them, those between two vertices drawn uniformly
  double quarter[4] = {0.25, 0.25, 0.25, 0.25};  // R-MAT's a b c d: (0,0) (0,1) (1,0) (1,1) at every level
  std::uint64_t seed = 1;
};

/// R-MAT (Chakrabarti et al., SDM 2004) mixed with uniform edges: ids permuted, both directions of every edge, one loop
/// per vertex, so 2 edges + vertices edges; rows ascend. Only integers are drawn, from std::mt19937_64, so every
/// standard library makes the same graph. Error when there is no room for that many different edges.
///
///   auto g = graphs::make({.vertices = 1000, .edges = 5000, .uniform = 2500});   // 11,000 edges
stg::graph make(const recipe& r);

/// The size and degrees of ogbn-arxiv: 169,343 vertices, 2,484,941 edges, half R-MAT (.57 .19 .19 .05), half uniform.
/// Sparse, with rows of features beyond the caches.
stg::graph arxiv_like();

/// Dense as Reddit's sampled graphs: 50,000 vertices, 5,050,000 edges, R-MAT (.5 .2 .2 .1). Every row is read 101
/// times.
stg::graph reddit_like();

/// The data set's folder, or nothing and two lines on stderr that say what is left out and where it was looked for.
/// As read: loops are not added. Errors of `read_node_classification`.
///
///   if (auto cora = graphs::dataset("cora")) measure(cora->graph.add_self_loops());
std::optional<stg::node_classification> dataset(const std::string& name);

/// The names that `named` knows: arxiv_like, reddit_like, and the data sets cora, amazon_cs, arxivai.
const std::vector<std::string>& names();

/// One of the graphs above with a loop for every vertex; nothing for a data set that is not there, which is reported as
/// in `dataset`. Error for a name that is not in `names`.
std::optional<stg::graph> named(const std::string& name);

}  // namespace graphs
