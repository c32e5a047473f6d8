// Parts of a graph with few edges between them, and batches of some parts each.
#pragma once

#include <stg/sampling/sampler.hpp>  // sampler

#include <concepts>  // integral
#include <cstdint>   // int32_t, int64_t, uint64_t
#include <span>      // span
#include <vector>    // vector

namespace stg {

/// What parts of a graph have equal shares of: vertices, or a program's work on them, a vertex and its edges of both
/// directions.
enum class part_weights : int { vertices, work };

/// The part of each vertex, (vertices), in [0, parts): parts of about as many vertices with few edges between them, by
/// METIS's k-way partitioning (Karypis and Kumar, SIAM J. Sci. Comput. 1998), of the graph without directions, loops
/// and parallel edges. None is empty: a part that METIS leaves empty takes half of the largest. The same number gives
/// the same parts with the same version of METIS. libmetis.so.5 is loaded by the first call. Errors: a number of parts
/// that is not in [1, vertices], more than 2^30 edges, and no METIS.
///
///   const auto parts = stg::partition(graph, 1500, 1);          // (vertices)
tensor<std::int32_t> partition(const graph& g, std::int64_t parts, std::uint64_t number,
                               part_weights equal = part_weights::vertices);

/// Whether `partition` is there: stg was built with METIS's header, and the library is found.
bool has_partition();

/// Seeds are parts, not vertices: a batch holds their vertices, part after part and ascending in each, and all edges
/// among these, also from part to part, as one hop with every vertex as seed. The number draws nothing. Chiang et al.,
/// KDD 2019 (Cluster-GCN); PyG's ClusterLoader.
///
/// Errors: parts that are not one for each vertex, a negative one, a seed that is no part, and a repeated seed.
///
///   const stg::cluster_sampler sampler(graph, parts);
///   const stg::batch b = sampler.sample(some_parts, 0);
class cluster_sampler final : public sampler {
 public:
  cluster_sampler(const graph& g, const const_tensor<std::int32_t>& parts);
  cluster_sampler(cluster_sampler&&) noexcept = default;
  /// Of their number: what to write.
  template <std::integral Parts> cluster_sampler(const graph& g, Parts) : cluster_sampler(g, tensor<std::int32_t>()) {
    static_assert(sizeof(Parts) == 0,
                  "stg: cluster_sampler takes the part of each vertex: cluster_sampler(g, stg::partition(g, 4, 1))");
  }

  /// One more than the largest part of a vertex.
  std::int64_t parts() const { return static_cast<std::int64_t>(offsets_.size()) - 1; }

 private:
  void draw(detail::batch_writer& to, std::span<const std::int32_t> seeds, std::uint64_t number) const override;

  std::vector<std::int64_t> offsets_{0};  // (parts + 1) into `members_`
  std::vector<std::int32_t> members_{};   // (vertices) by part
};

}  // namespace stg
