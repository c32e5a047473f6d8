// Neighbours by fan-out in graphs of several kinds: so many in-edges of each vertex by relation, hop after hop.
#pragma once

#include <stg/base/instead.hpp>                // STG_INSTEAD_FIELD
#include <stg/sampling/graphs_batch.hpp>       // graphs_batch
#include <stg/sampling/neighbour_sampler.hpp>  // all_neighbours

#include <concepts>          // integral
#include <cstdint>           // int32_t, int64_t, uint64_t
#include <initializer_list>  // initializer_list
#include <memory>            // shared_ptr, unique_ptr
#include <span>              // span
#include <string>            // string
#include <string_view>       // string_view
#include <utility>           // move
#include <vector>            // vector

namespace stg {

/// How many in-edges of a relation are taken of each vertex in each hop.
struct relation_fan_outs {
  std::string relation{};
  std::vector<std::int64_t> fan_outs{};
};
template <NamedRelation Relation> relation_fan_outs fan_outs(Relation, std::vector<std::int64_t> of_hops) {
  return {std::string(Relation::name::view()), std::move(of_hops)};
}

struct graphs_options {
  std::vector<std::int64_t> fan_outs{};  ///< of each relation that has none of its own; none: these are not sampled
  std::vector<relation_fan_outs> of{};   ///< of these
  bool with_replacement = false;         ///< each draw among all in-edges
  STG_INSTEAD_FIELD(num_neighbors, "stg: in-edges of each hop are {.fan_outs = {15, 10}}")
  STG_INSTEAD_FIELD(fanouts, "stg: in-edges of each hop are {.fan_outs = {15, 10}}")
  STG_INSTEAD_FIELD(sizes, "stg: in-edges of each hop are {.fan_outs = {15, 10}}")
  STG_INSTEAD_FIELD(replace, "stg: each draw among all in-edges is {.with_replacement = true}")
};

/// Seeds of one set, beside other sets' seeds.
struct set_seeds {
  std::string_view set{};
  std::span<const std::int32_t> vertices{};
};
/// Edges of a relation, by id, in any order, to be ignored.
struct edges_left_out {
  std::string_view relation{};
  std::span<const std::int64_t> edges{};
};

namespace detail {

class sampled_kinds;

/// The common part of samplers of graphs of several kinds.
class sampler_of_graphs {
 public:
  /// The large graphs.
  const graphs& of() const&;
  graphs of() && { return of(); }

 protected:
  /// Error, which `by` begins, for graphs on a device.
  sampler_of_graphs(const char* by, const graphs& g);
  sampler_of_graphs(sampler_of_graphs&&) noexcept;
  ~sampler_of_graphs();
  const sampled_kinds& kinds() const { return *kinds_; }

 private:
  std::unique_ptr<const sampled_kinds> kinds_;
};

}  // namespace detail

/// `neighbour_sampler` by relation: looks into each vertex once, in the hop after the one that reaches it, and takes,
/// for each relation that ends in its set, as many in-edges as the relation's fan-out says. Draws are a function of
/// number, hop, relation and the vertex's id; of graphs of one set and one relation it is the batch of
/// `neighbour_sampler`. Edges are taken against their direction alone: a program along `out_edges(writes)` sees only
/// the sampled ones; for all of them add the reverse relation (`add_reverse`) and read it. May be used from several
/// threads at a time. PyG's NeighborLoader of a HeteroData.
///
/// Errors: graphs on a device; fan-outs below -1, of a relation that is not there or named twice, and of unequal
/// numbers of hops; `all_neighbours` with replacement. Of sampling: a set that is not there or given twice, a seed that
/// is none of its vertices, and a repeated seed, with its position; a relation that is not there, and an id to be left
/// out that is no edge of it.
///
///   const stg::graphs_sampler sampler(graph, {.fan_outs = {10, 5}, .of = {stg::fan_outs(cites, {20, 0})}});
///   const stg::graphs_batch b = sampler.sample(paper, seeds, 7);
class graphs_sampler : public detail::sampler_of_graphs {
 public:
  graphs_sampler(const graphs& g, graphs_options options);
  /// Of fan-outs without their name, {5, 3}: what to write.
  template <std::integral N>
  graphs_sampler(const graphs& g, std::initializer_list<N>) : graphs_sampler(g, graphs_options()) {
    constexpr bool is_named = sizeof(N) == 0;
    static_assert(is_named, STG_FAN_OUTS_ARE_BARE);
  }
  template <detail::BareFanOuts<graphs_options> FanOuts>
  graphs_sampler(const graphs& g, const FanOuts&) : graphs_sampler(g, graphs_options()) {
    constexpr bool is_named = sizeof(FanOuts) == 0;
    static_assert(is_named, STG_FAN_OUTS_ARE_BARE);
  }

  /// Draws edges of a relation in proportion to weights, as `neighbour_sampler` does. Errors: no such relation, values
  /// of other edges, and weights that are negative or not finite, with the edge.
  ///
  ///   auto sampler = stg::graphs_sampler(graph, {.fan_outs = {10, 5}}).by_weight(writes, share);
  template <NamedRelation Relation> graphs_sampler by_weight(Relation, const edge_values<float>& weights) && {
    weigh(Relation::name::view(), weights);
    return std::move(*this);
  }

  template <NamedVertexSet Set>
  graphs_batch sample(Set, std::span<const std::int32_t> seeds, std::uint64_t number) const {
    graphs_batch b;
    sample_into(b, Set::name::view(), seeds, number);
    return b;
  }
  /// Of ids of another type: what to write.
  template <NamedVertexSet Set, detail::OtherIds Ids>
  STG_SAYS_SEEDS(Ids)
  graphs_batch sample(Set, const Ids&, std::uint64_t) const {
    STG_CHECK_SEEDS(Ids);
    return {};
  }
  /// Samples into an existing batch's memory. After an error the batch is empty.
  template <NamedVertexSet Set>
  void sample_into(graphs_batch& to, Set, std::span<const std::int32_t> seeds, std::uint64_t number) const {
    sample_into(to, Set::name::view(), seeds, number);
  }
  void sample_into(graphs_batch& to, std::string_view set, std::span<const std::int32_t> seeds,
                   std::uint64_t number) const;
  /// Samples around seeds of several sets, each at the beginning of its set, and without some edges: the ones whose
  /// links are predicted.
  void sample_into(graphs_batch& to, std::span<const set_seeds> seeds, std::uint64_t number,
                   std::span<const edges_left_out> without = {}) const;

 private:
  void weigh(std::string_view relation, const edge_values<float>& weights);

  std::shared_ptr<detail::neighbour_draws> draws_;
};

}  // namespace stg
