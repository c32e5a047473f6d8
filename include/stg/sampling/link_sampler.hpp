// Edges as seeds: pairs joined by an edge and pairs without one, and the neighbourhoods of their ends.
#pragma once

#include <stg/sampling/negative_edges.hpp>     // negative_options
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler

#include <concepts>  // same_as
#include <cstdint>   // int32_t, int64_t, uint64_t
#include <span>      // span

#define STG_LINKS_OF_A_GRAPH \
  "stg: links are sampled around a sampler's vertices; write link_sampler(neighbour_sampler(graph, {...}), {...})"

namespace stg {

/// The negatives of edges, and the edges that the batch must not show.
struct link_options {
  std::int64_t negatives = 1;     ///< for each edge: pairs of its source and another destination
  negative_options which{};       ///< of which pairs
  bool leave_out_edges = true;    ///< the batch has none of the edges that are asked for, parallel ones as well
  bool leave_out_reverse = true;  ///< nor those from their destinations to their sources
};

/// Batches for link prediction. Seeds of a batch are the ends of its pairs, each once, ascending; `batch::pair_src` and
/// `pair_dst` name them by their numbers in the batch: first the given edges, then the negatives of the first, of the
/// second, and so on; `batch::true_pairs` is the number of edges. `batch::pairs` makes a graph of them, for a program
/// that gives each edge a score. May be used from several threads at a time. PyG's LinkNeighborLoader. Errors: negative
/// numbers of negatives, an id that is no edge, with its position, and the errors of `negative_destinations`.
///
///   const stg::link_sampler sampler(stg::neighbour_sampler(graph, {.fan_outs = {10, 5}}), {.negatives = 3});
///   const stg::batch b = sampler.sample(edges, 7);
class link_sampler {
 public:
  link_sampler(neighbour_sampler from, const link_options& options);
  /// Of a graph: what to write.
  template <std::same_as<graph> Graph>
  link_sampler(const Graph& g, const link_options& options)
      : link_sampler(neighbour_sampler(g, neighbour_options()), options) {
    constexpr bool is_a_sampler = sizeof(Graph) == 0;
    static_assert(is_a_sampler, STG_LINKS_OF_A_GRAPH);
  }

  /// edges: ids of the large graph, in the order of `batch::edges`.
  batch sample(std::span<const std::int64_t> edges, std::uint64_t number) const;
  void sample_into(batch& to, std::span<const std::int64_t> edges, std::uint64_t number) const;
  /// The same of ids as a loader has them.
  void sample_into(batch& to, std::span<const std::int32_t> edges, std::uint64_t number) const;
  /// The pairs of edges [first, last) alone, as the batch of all edges has them: with the same negatives, and without
  /// the edges that it leaves out.
  void sample_share_into(batch& to, std::span<const std::int32_t> edges, std::int64_t first, std::int64_t last,
                         std::uint64_t number) const;

  const graph& of() const& { return from_.of(); }
  graph of() && { return from_.of(); }

 private:
  void sample_some(batch& to, std::span<const std::int64_t> edges, std::int64_t first, std::int64_t last,
                   std::uint64_t number) const;

  neighbour_sampler from_;
  link_options options_;
};

}  // namespace stg
