// Neighbours by fan-out in graphs of several kinds, among the edges earlier than a seed's time.
#pragma once

#include <stg/sampling/graphs_sampler.hpp>  // graphs_batch, relation_fan_outs

#include <cstdint>      // int32_t, int64_t, uint64_t
#include <memory>       // shared_ptr
#include <span>         // span
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg {

namespace detail {
struct temporal_draws;
}  // namespace detail

/// The number of earlier in-edges of a relation taken of each vertex, and their choice.
struct graphs_temporal_options {
  std::vector<std::int64_t> fan_outs{};  ///< of each relation that has none of its own; none: these are not sampled
  std::vector<relation_fan_outs> of{};   ///< of these
  bool latest = false;                   ///< the last ones before the seed's time, not any
};

/// `temporal_sampler` by relation: seeds of one set with a time each, which see the graphs as they were before it.
/// Edges of a relation have times (`by_time`); edges of a relation without times are there at all times, and any of
/// them are taken. If vertices have times, edges have their sources' times. Seeds share no vertices of any set: `roots`
/// of a set gives the seed of each, and a vertex reached along several edges is there as often. Draws for a vertex are
/// a function of number, hop, relation and its id among the earlier edges; of graphs of one set and one relation it is
/// the batch of `temporal_sampler`. PyG's NeighborLoader of a HeteroData with time_attr, which takes edges of the
/// seed's own time as well.
///
/// Errors: the errors of `graphs_sampler` but for repeated seeds, times of other edges or NaN, and times that are not
/// one for each seed.
///
///   const auto sampler = stg::graphs_temporal_sampler(g, {.fan_outs = {10, 5}}).by_time(writes, g.edge_values(…));
///   const stg::graphs_batch b = sampler.sample(paper, seeds, times_of_seeds, 7);
class graphs_temporal_sampler : public detail::sampler_of_graphs {
 public:
  graphs_temporal_sampler(const graphs& g, const graphs_temporal_options& options);

  /// The times of a relation's edges.
  template <NamedRelation Relation> graphs_temporal_sampler by_time(Relation, const edge_values<double>& times) && {
    set_times(Relation::name::view(), times);
    return std::move(*this);
  }
  void set_times(std::string_view relation, const edge_values<double>& times);

  /// times: one for each seed.
  template <NamedVertexSet Set>
  graphs_batch sample(Set, std::span<const std::int32_t> seeds, std::span<const double> times,
                      std::uint64_t number) const {
    graphs_batch b;
    sample_into(b, Set::name::view(), seeds, times, number);
    return b;
  }
  /// Samples into an existing batch's memory. After an error the batch is empty.
  template <NamedVertexSet Set>
  void sample_into(graphs_batch& to, Set, std::span<const std::int32_t> seeds, std::span<const double> times,
                   std::uint64_t number) const {
    sample_into(to, Set::name::view(), seeds, times, number);
  }
  void sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                   std::span<const double> times, std::uint64_t number) const;

 private:
  std::shared_ptr<detail::temporal_draws> draws_;
};

}  // namespace stg
