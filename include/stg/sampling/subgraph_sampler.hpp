// Subgraphs by random walks, vertices or edges, with all of their edges, and the correction for uneven drawing.
#pragma once

#include <stg/sampling/sampler.hpp>  // sampler

#include <cstdint>  // int64_t, uint64_t
#include <vector>   // vector

namespace stg {

/// Draws vertices and takes all edges among them: a batch of one hop with every vertex as seed. Given seeds are roots
/// of the walks; for the other two samplers they are an error. Zeng et al., ICLR 2020 (GraphSAINT), with the same three
/// samplers. PyG's GraphSAINTSamplers draw otherwise: walks along out-edges, vertices in proportion to their
/// out-degrees, edges without replacement and in proportion to degrees.
///
///   const auto sampler = stg::subgraph_sampler::by_walks(graph, 2000, 4);
///   const stg::batch b = sampler.sample({}, 7);
class subgraph_sampler final : public sampler {
 public:
  /// Walks of `steps` in-edges, each any of a vertex's, from `roots` vertices that are any with replacement; a vertex
  /// without in-edges ends its walk. Errors: negative numbers.
  static subgraph_sampler by_walks(const graph& g, std::int64_t roots, std::int64_t steps);
  /// `draws` vertices with replacement, u in proportion to Σ 1 / d(v)² over its out-edges to v, d being the in-degree.
  static subgraph_sampler by_vertices(const graph& g, std::int64_t draws);
  /// The ends of `draws` edges with replacement, u → v in proportion to 1 / d(u) + 1 / d(v); of an end without in-edges
  /// 1. Error: a negative number.
  static subgraph_sampler by_edges(const graph& g, std::int64_t draws);
  subgraph_sampler(subgraph_sampler&&) noexcept = default;

 private:
  enum class kind { walks, vertices, edges };
  subgraph_sampler(const graph& g, kind how, std::int64_t draws, std::int64_t steps);
  void draw(detail::batch_writer& to, std::span<const std::int32_t> seeds, std::uint64_t number) const override;
  void walk(detail::batch_writer& to, std::int32_t from, std::uint64_t walk, std::uint64_t number) const;

  kind how_;
  std::int64_t draws_, steps_;
  std::vector<double> up_to_{};              // (vertices) or (edges): sums of the draws' weights
  std::vector<std::int32_t> destination_{};  // (edges), of draws of edges
};

/// Factors that make sums over subgraphs equal to sums over the graph, on the average: GraphSAINT's normalisation,
/// estimated.
struct subgraph_norms {
  /// (vertices) S / (N · Cᵥ): Σ norm(v) · loss(v) over a subgraph has the mean loss of all N vertices as its mean.
  tensor<float> vertices;
  /// (edges) Cᵥ / C of the edge u → v: Σ norm · h(u) over a vertex's edges in a subgraph, the sum over all in-edges.
  edge_values<float> edges;
};
/// Counts in how many of S = `subgraphs` batches, of the numbers from `number` on and without seeds, each vertex and
/// edge is: Cᵥ and C. What is in none counts as if it were in one. Zeng et al., section 3.2; PyG's node_norm. Its
/// edge_norm is Cᵤ / C, with the count of the edge's source. Error when there are no subgraphs.
///
///   const auto norms = stg::estimate_norms(sampler, 200, 1);
///   step(b.graph, x = X, share = stg::gather(norms.vertices, b.vertices), w = stg::gather(norms.edges, b), params);
subgraph_norms estimate_norms(const sampler& of, std::int64_t subgraphs, std::uint64_t number);

/// The subgraph of some vertices and all edges among them, as a batch of one hop in which every vertex is a seed.
/// Errors of `sampler`.
///
///   const stg::batch b = stg::subgraph(graph, vertices);
batch subgraph(const graph& g, std::span<const std::int32_t> vertices);

}  // namespace stg
