// Neighbours by fan-out: so many in-edges of each vertex, hop after hop.
#pragma once

#include <stg/base/instead.hpp>      // STG_INSTEAD_FIELD, STG_INSTEAD_MADE
#include <stg/sampling/sampler.hpp>  // sampler

#include <concepts>          // integral
#include <cstdint>           // int64_t
#include <initializer_list>  // initializer_list
#include <memory>            // shared_ptr
#include <span>              // span
#include <utility>           // move
#include <vector>            // vector

namespace stg {

namespace detail {
struct neighbour_draws;
}  // namespace detail

/// The fan-out of a hop that takes all in-edges.
inline constexpr std::int64_t all_neighbours = -1;

/// How many in-edges are taken of each vertex.
struct neighbour_options {
  std::vector<std::int64_t> fan_outs{};  ///< of hop 1, which looks into the seeds, hop 2, and so on
  bool with_replacement = false;         ///< each draw among all in-edges: parallel edges where one is drawn again
  STG_INSTEAD_FIELD(num_neighbors, "stg: in-edges of each hop are {.fan_outs = {15, 10}}")
  STG_INSTEAD_FIELD(fanouts, "stg: in-edges of each hop are {.fan_outs = {15, 10}}")
  STG_INSTEAD_FIELD(sizes, "stg: in-edges of each hop are {.fan_outs = {15, 10}}")
  STG_INSTEAD_FIELD(replace, "stg: each draw among all in-edges is {.with_replacement = true}")
};

/// Looks into each vertex once, in the hop after the one that reaches it, and takes as many of its in-edges as the
/// fan-out says: all of them if it has no more, unless they are drawn with replacement. Without weights each is equally
/// likely. With weights, an edge is drawn in proportion to its own among the remaining ones (without replacement:
/// Efraimidis and Spirakis, Information Processing Letters 2006); edges of weight 0 are never taken. Hamilton et al.,
/// NeurIPS 2017; PyG's NeighborLoader. DGL's NeighborSampler looks again, in every hop, into all vertices reached
/// before, seeds included, and draws others of their in-edges.
///
/// Without replacement a row's edges are in the order of the large graph, so sums over all neighbours have equal bits.
/// Errors: a fan-out below -1, `all_neighbours` with replacement, weights of another graph, and negative or non-finite
/// weights, with the edge.
///
///   const stg::neighbour_sampler sampler(graph, {.fan_outs = {15, 10, 5}});
///   const stg::batch b = sampler.sample(seeds, 7);
class neighbour_sampler : public sampler {
 public:
  neighbour_sampler(const graph& g, neighbour_options options);
  neighbour_sampler(const graph& g, neighbour_options options, const edge_values<float>& weights);
  neighbour_sampler(neighbour_sampler&&) noexcept = default;
  /// Of weights that are no edge values: what to write.
  template <detail::NoEdgeValues<edge_values<float>> Weights>
  neighbour_sampler(const graph& g, neighbour_options options, const Weights&)
      : neighbour_sampler(g, std::move(options), edge_values<float>()) {
    constexpr bool are_of_edges = sizeof(Weights) == 0;
    static_assert(are_of_edges, STG_WEIGHTS_ARE_OF_EDGES);
  }
  /// Of fan-outs without their name, {5, 3}: what to write.
  template <std::integral N>
  neighbour_sampler(const graph& g, std::initializer_list<N>) : neighbour_sampler(g, neighbour_options()) {
    constexpr bool is_named = sizeof(N) == 0;
    static_assert(is_named, STG_FAN_OUTS_ARE_BARE);
  }
  template <detail::BareFanOuts<neighbour_options> FanOuts>
  neighbour_sampler(const graph& g, const FanOuts&) : neighbour_sampler(g, neighbour_options()) {
    constexpr bool is_named = sizeof(FanOuts) == 0;
    static_assert(is_named, STG_FAN_OUTS_ARE_BARE);
  }

  template <std::integral N, std::integral... More>
    requires(sizeof...(More) > 0)
  neighbour_sampler(const graph& g, N, More...) : neighbour_sampler(g, neighbour_options()) {
    constexpr bool is_named = sizeof(N) == 0;
    static_assert(is_named, STG_FAN_OUTS_ARE_BARE);
  }
  /// Of what has a graph: what to write.
  template <class Data>
    requires requires(const Data& d) { d.graph; }
  neighbour_sampler(const Data& data, neighbour_options options) : neighbour_sampler(data.graph, std::move(options)) {
    constexpr bool is_a_graph = sizeof(Data) == 0;
    static_assert(is_a_graph, "stg: a sampler takes a graph: neighbour_sampler(data.graph, {.fan_outs = {5, 3}})");
  }

  /// Samples without some edges of the large graph: the ones whose links are predicted. Any order, repetitions allowed.
  /// Error for an id that is no edge.
  void sample_without(batch& to, std::span<const std::int32_t> seeds, std::uint64_t number,
                      std::span<const std::int64_t> edges) const;

 private:
  void draw(detail::batch_writer& to, std::span<const std::int32_t> seeds, std::uint64_t number) const override;

  std::shared_ptr<detail::neighbour_draws> draws_;
};

/// As PyTorch Geometric and DGL spell it.
class neighbor_sampler : public neighbour_sampler {
 public:
  STG_INSTEAD_MADE("stg: it is spelled neighbour_sampler, as in neighbour_sampler(graph, {.fan_outs = {15, 10}})",
                   neighbor_sampler(const graph& g, neighbour_options options)
                   : neighbour_sampler(g, std::move(options)))
};

}  // namespace stg
