// Neighbours by fan-out among the edges earlier than a seed's time.
#pragma once

#include <stg/sampling/sampler.hpp>  // sampler

#include <cstdint>  // int64_t
#include <memory>   // shared_ptr
#include <span>     // span
#include <vector>   // vector

namespace stg {

namespace detail {
struct temporal_draws;
}  // namespace detail

/// The number of earlier in-edges taken of each vertex, and their choice.
struct temporal_options {
  std::vector<std::int64_t> fan_outs{};  ///< of hop 1, hop 2, and so on; `all_neighbours` takes all earlier ones
  bool latest = false;                   ///< the last ones before the seed's time, not any
};

/// Every seed has a time, and sees the graph as it was before it: each hop takes edges of smaller times, a row none of
/// them twice. Seeds see different graphs, so they share no vertices: each vertex of the batch belongs to one seed, its
/// entry of `batch::roots`, and a vertex reached along several edges is there as often, each time with the same edges.
/// A vertex may be a seed several times. Rossi et al., arXiv:2006.10637; PyG's NeighborLoader with time_attr, which
/// takes edges of the seed's own time as well.
///
/// Errors: the errors of `sampler` but for repeated seeds, times that are not one for each edge, times of another
/// graph, and times that are NaN.
///
///   const stg::temporal_sampler sampler(graph, {.fan_outs = {10, 10}, .latest = true}, graph.edge_values(times));
///   const stg::batch b = sampler.sample(seeds, times_of_seeds, 7);
class temporal_sampler final : public sampler {
 public:
  temporal_sampler(const graph& g, temporal_options options, const edge_values<double>& times);
  temporal_sampler(temporal_sampler&&) noexcept = default;
  /// Of times that are no edge values: what to write.
  template <detail::NoEdgeValues<edge_values<double>> Times>
  temporal_sampler(const graph& g, temporal_options options, const Times&)
      : temporal_sampler(g, std::move(options), edge_values<double>()) {
    constexpr bool are_of_edges = sizeof(Times) == 0;
    static_assert(are_of_edges, STG_TIMES_ARE_OF_EDGES);
  }

  /// times: one for each seed. Without them: all edges are earlier.
  using sampler::sample, sampler::sample_into;
  batch sample(std::span<const std::int32_t> seeds, std::span<const double> times, std::uint64_t number) const;
  /// Of ids of another type: what to write.
  template <detail::OtherIds Ids>
  STG_SAYS_SEEDS(Ids)
  batch sample(const Ids&, std::span<const double>, std::uint64_t) const {
    STG_CHECK_SEEDS(Ids);
    return {};
  }
  void sample_into(batch& to, std::span<const std::int32_t> seeds, std::span<const double> times,
                   std::uint64_t number) const;

 private:
  void draw(detail::batch_writer& to, std::span<const std::int32_t> seeds, std::uint64_t number) const override;

  std::shared_ptr<detail::temporal_draws> draws_;
};

}  // namespace stg
