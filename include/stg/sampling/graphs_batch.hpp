// A part of a large graph of several kinds, and the origin of the rows of each of its sets and relations.
#pragma once

#include <stg/runtime/blocks.hpp>   // blocks
#include <stg/runtime/graphs.hpp>   // graphs, NamedRelation, NamedVertexSet
#include <stg/sampling/gather.hpp>  // gather_edges

#include <cstdint>      // int32_t, int64_t
#include <memory>       // shared_ptr
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg {

/// Graphs with the sets and relations of large ones and some of their vertices and edges; programs run on them as on
/// any. Vertices of a set are numbered as they are reached: in the set of the seeds these come first, in the given
/// order. All is as in `batch`, by set and relation. Arrays and graphs keep their memory when the batch is sampled into
/// again, unless somebody holds a copy of the graphs or of a relation.
///
///   stg::graphs_batch b = sampler.sample(paper, seeds, 7);
///   auto y = model(b.graph, known = stg::gather(K, b.vertices(author)), words = stg::gather(W, b.vertices(paper)),
///                  share = stg::gather(S, b, writes), params);                     // rows [0, b.seeds) are of seeds
struct graphs_batch {
  stg::graphs graph{};
  std::int64_t seeds = 0;  ///< the first so many vertices of their set
  std::string seed_set{};  ///< of seeds of several sets the first one that was given

  /// The sample of a set, and of a relation.
  struct set_rows {
    std::string name{};
    std::vector<std::int32_t> vertices{};  ///< which vertex of the large set each is
    std::vector<std::int64_t> offsets{};   ///< (hops + 2): hop h reaches [offset h, offset h + 1); hop 0 the seeds
    /// (vertices) the seed, counted in the batch, from which each was reached: of samplers whose seeds share no
    /// vertices, else empty.
    std::vector<std::int32_t> roots{};
  };
  struct relation_rows {
    std::string name{};
    std::vector<std::int64_t> edges{};    ///< which edge of the large relation each is, by id
    std::vector<std::int64_t> offsets{};  ///< (hops + 1): hop h + 1 takes [offset h, offset h + 1)
    /// (edges) factors of messages from a sampler that is not uniform, else empty.
    std::vector<float> edge_weights{};
    /// (vertices of its destination set) as `batch::earlier_degrees`.
    std::vector<std::int32_t> earlier_degrees{};
  };
  std::vector<set_rows> sets{};            ///< in the order of the large graphs
  std::vector<relation_rows> relations{};  ///< likewise

  /// Errors: no such set, no such relation.
  template <NamedVertexSet Set> const std::vector<std::int32_t>& vertices(Set) const& {
    return of_set(Set::name::view()).vertices;
  }
  template <NamedRelation Relation> const std::vector<std::int64_t>& edges(Relation) const& {
    return of_relation(Relation::name::view()).edges;
  }
  const set_rows& of_set(std::string_view name) const&;
  const relation_rows& of_relation(std::string_view name) const&;
  // Of a temporary: copies.
  template <NamedVertexSet Set> std::vector<std::int32_t> vertices(Set of) && { return vertices(of); }
  template <NamedRelation Relation> std::vector<std::int64_t> edges(Relation of) && { return edges(of); }
  set_rows of_set(std::string_view name) && { return of_set(name); }
  relation_rows of_relation(std::string_view name) && { return of_relation(name); }

  // Of a `graphs_link_sampler`, else empty: pairs of the batch's vertices, of the source set and of the destination set
  // of `pair_relation`; the first `true_pairs` are its edges.
  std::vector<std::int32_t> pair_src{}, pair_dst{};
  std::int64_t true_pairs = 0;
  relation_names pair_relation{};

  std::int64_t hops() const { return sets.empty() ? 0 : static_cast<std::int64_t>(sets[0].offsets.size()) - 2; }
  /// The sample as programs compute it hop by hop, in place of `graph`: only rows that the seeds need. It uses the
  /// memory of the last blocks, unless somebody holds a copy; one thread makes them at a time.
  ///
  ///   step(b.blocks(), known = stg::gather(K, b.vertices(author)), seen = b.seed_mask(), params);
  stg::blocks blocks() const;
  /// True at the seeds, (vertices of their set): the mask of a loss.
  tensor<bool> seed_mask() const;
  /// Writes the mask into a tensor's memory, made anew if its shape differs.
  void seed_mask(tensor<bool>& into) const;
  /// `edge_weights` of a relation as values of its edges in `graph`. They share no memory with the batch.
  template <NamedRelation Relation> edge_values<float> weights(Relation) const {
    return weights(Relation::name::view());
  }
  edge_values<float> weights(std::string_view relation) const;

  /// The pairs as edges of graphs of their own, of the relation's name and its sets with the vertices of the batch: for
  /// a program of scores. Error if the batch is of no links.
  stg::graphs pairs() const;
  /// The pairs over the seeds alone: the rows of results on `blocks()`.
  stg::graphs seed_pairs() const;
  /// 1 for pairs that are edges, 0 for others, as values of the edges of `pairs()` or `seed_pairs()`.
  ///
  ///   const auto links = b.pairs();
  ///   decoder(links, of_author = …, of_paper = …, linked = b.pair_targets(links));
  edge_values<float> pair_targets(const stg::graphs& of_pairs) const;

  stg::graphs large{};  ///< of which this is a part
  mutable std::shared_ptr<stg::blocks::state> memory_of_blocks{};
  mutable std::vector<stg::blocks::sampled_set> sets_of_blocks{};
  mutable std::vector<std::span<const std::int32_t>> degrees_of_blocks{};
  struct room;                     // in src/sampling/batch_writer.cpp
  std::shared_ptr<room> memory{};  ///< of `graph`, for the next one; nothing to read
};

/// The values of a relation's edges in a batch, from the values of all of its edges in the large graphs; the caller
/// knows the large graphs. Errors: no such relation, an id without a row, rank 0, and a tensor on a device.
///
///   auto share_of_batch = stg::gather(S, b, writes);            // of b.graph
template <TensorElement T, NamedRelation Relation>
edge_values<T> gather(const edge_values<T>& from, const graphs_batch& b, Relation of) {
  return detail::gather_edges<T>(from, b.edges(of), b.graph.relation(of));
}

}  // namespace stg
