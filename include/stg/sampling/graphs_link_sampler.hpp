// Edges of a relation as seeds, between vertices of one set or of two: pairs joined by an edge and pairs without one.
#pragma once

#include <stg/sampling/graphs_sampler.hpp>  // graphs_batch, graphs_sampler
#include <stg/sampling/link_sampler.hpp>    // link_options

#include <cstddef>      // size_t
#include <cstdint>      // int32_t, int64_t, uint64_t
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <utility>      // move
#include <vector>       // vector

namespace stg {

/// `link_sampler` for a relation of graphs of several kinds. Negatives of an edge are its source and other vertices of
/// the destination set. Seeds of a batch are the ends of its pairs, each once, ascending, at the beginning of their set
/// or of both sets; `graphs_batch::pair_src` and `pair_dst` name them by their numbers there, edges first, as in a
/// `batch`. `pairs()` makes graphs of them, for a program that gives each edge a score.
///
/// With `leave_out_edges` the batch has no edge of the relation from a pair's source to its destination; with
/// `leave_out_reverse` none of the relation the other way, where it joins a set to itself, and none between them of a
/// relation that is this one turned round, edge by edge, as `add_reverse` makes it. Others that would tell are named:
/// `leaving_out`. May be used from several threads at a time. PyG's LinkNeighborLoader of a HeteroData.
///
/// Errors: a relation that is not there, negative numbers of negatives. Of sampling: an id that is no edge, with its
/// position, and those of `negative_destinations`.
///
///   const stg::graphs_link_sampler sampler(stg::graphs_sampler(graph, {.fan_outs = {10, 5}}), writes, {.negatives =
///   3}); const stg::graphs_batch b = sampler.sample(edges, 7);
class graphs_link_sampler {
 public:
  template <NamedRelation Relation>
  graphs_link_sampler(graphs_sampler from, Relation, const link_options& options)
      : graphs_link_sampler(std::move(from), Relation::name::view(), options) {}
  graphs_link_sampler(graphs_sampler from, std::string_view relation, const link_options& options);

  /// The batch has no edges of this relation either that join the ends of a requested edge, in either direction.
  /// Errors: no such relation, and one that joins other sets.
  ///
  ///   auto sampler = stg::graphs_link_sampler(std::move(neighbours), writes, {}).leaving_out(praised_by);
  template <NamedRelation Other> graphs_link_sampler leaving_out(Other) && {
    hide(Other::name::view());
    return std::move(*this);
  }

  /// edges: ids of the large relation, in the order of `graphs_batch::edges`.
  graphs_batch sample(std::span<const std::int64_t> edges, std::uint64_t number) const;
  /// Samples into an existing batch's memory. After an error the batch is empty.
  void sample_into(graphs_batch& to, std::span<const std::int64_t> edges, std::uint64_t number) const;
  /// The same of ids as a loader has them.
  void sample_into(graphs_batch& to, std::span<const std::int32_t> edges, std::uint64_t number) const;
  /// The pairs of edges [first, last) alone, as of `link_sampler`.
  void sample_share_into(graphs_batch& to, std::span<const std::int32_t> edges, std::int64_t first, std::int64_t last,
                         std::uint64_t number) const;

  /// The large graphs.
  const graphs& of() const& { return from_.of(); }
  graphs of() && { return from_.of(); }

 private:
  /// A relation with edges left out: along, from a pair's source to its destination; against, the other way.
  struct hidden {
    std::string relation{};
    graph edges{};
    bool along = false, against = false;
  };
  void sample_some(graphs_batch& to, std::span<const std::int64_t> edges, std::int64_t first, std::int64_t last,
                   std::uint64_t number) const;
  void hide(std::string_view relation);
  void hide(std::string_view relation, bool along, bool against);

  graphs_sampler from_;
  relation_names relation_{};
  graph edges_{};
  link_options options_;
  std::vector<hidden> hidden_{};
};

}  // namespace stg
