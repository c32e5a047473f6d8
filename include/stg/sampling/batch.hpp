// A part of a large graph that a program takes in one step, and the origin of each of its rows.
#pragma once

#include <stg/runtime/blocks.hpp>  // blocks
#include <stg/runtime/graph.hpp>   // graph
#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // int32_t, int64_t
#include <memory>   // shared_ptr
#include <vector>   // vector

namespace stg {

/// An ordinary graph, with some of a large graph's vertices and edges. Programs run on it as on any other.
///
/// Vertices are numbered as they are reached: first the seeds, in the given order, then the vertices reached by hop 1,
/// and so on. An edge belongs to the hop that looked into its destination: edges of hop 1 go into seeds. Vertices
/// reached by the last hop have no in-edges, unless they were there before, and programs are given their in-degree in
/// the large graph. So after as many hops as a model has layers, the rows of the seeds are the model's results for them
/// with these neighbours; other rows are means to that end.
///
/// Edges are listed in the order of their ids in `graph`, so `graph.edge_values` and `to_input_order` copy. Arrays keep
/// their memory when the batch is sampled into again; so does the graph, unless somebody holds a copy of it.
///
///   stg::batch b = sampler.sample(seeds, 7);
///   auto X = stg::gather(data.features, b.vertices);
///   auto h = model(b.blocks(), x = X, params);        // a row for each seed
///   auto all = model(b.graph, x = X, params);         // rows [0, b.seeds) are of seeds
struct batch {
  stg::graph graph{};
  std::vector<std::int32_t> vertices{};  ///< (vertices of `graph`) which vertex of the large graph each is
  std::vector<std::int64_t> edges{};     ///< (edges of `graph`) which edge of the large graph each is, by id
  std::int64_t seeds = 0;                ///< the first so many vertices
  /// (hops + 2), beginning with 0: hop h reaches vertices [vertex_offsets[h], vertex_offsets[h + 1]); hop 0 the seeds.
  std::vector<std::int64_t> vertex_offsets{};
  /// (hops + 1), beginning with 0: hop h + 1 takes edges [edge_offsets[h], edge_offsets[h + 1]).
  std::vector<std::int64_t> edge_offsets{};
  /// (edges) factors of messages from a sampler that is not uniform, else empty.
  std::vector<float> edge_weights{};
  /// (vertices) the seed, counted in the batch, from which each was reached: of samplers whose seeds share no vertices,
  /// else empty.
  std::vector<std::int32_t> roots{};
  /// (vertices) earlier in-edges of vertices that no hop looked into: of samplers by time, since the large graph has
  /// later ones, too; else empty.
  std::vector<std::int32_t> earlier_degrees{};

  // Of a `link_sampler`, else empty: pairs of vertices of the batch; the first `true_pairs` are edges.
  std::vector<std::int32_t> pair_src{}, pair_dst{};
  std::int64_t true_pairs = 0;

  std::int64_t hops() const { return static_cast<std::int64_t>(edge_offsets.empty() ? 0 : edge_offsets.size() - 1); }
  /// The sample as programs compute it hop by hop, in place of `graph`: only rows that the seeds need. If all vertices
  /// are seeds, as of a subgraph, it is the graph. They use the memory of this batch's last blocks, unless somebody
  /// holds a copy; one thread makes them at a time.
  ///
  ///   step(b.blocks(), x = b[X], label = b[Y], known = b.known, params);
  stg::blocks blocks() const;
  /// True at the seeds, (vertices): the mask of a loss.
  ///
  ///   step(b.graph, x = X, label = Y, known = b.seed_mask(), params);
  tensor<bool> seed_mask() const;
  /// Writes the mask into a tensor's memory, made anew if its shape differs.
  void seed_mask(tensor<bool>& into) const;
  /// `edge_weights` as values of the edges of `graph`. They share no memory with the batch.
  edge_values<float> weights() const;

  /// The pairs as edges of a graph of its own, over the vertices of the batch: for a program of scores.
  stg::graph pairs() const;
  /// The pairs over the seeds alone: the rows of results on `blocks()`.
  stg::graph seed_pairs() const;
  /// 1 for pairs that are edges, 0 for others, as values of the edges of `pairs()` or `seed_pairs()`.
  ///
  ///   const auto links = b.pairs();
  ///   scores.record(links, h = rows_of_vertices, target = b.pair_targets(links));
  edge_values<float> pair_targets(const stg::graph& of_pairs) const;

  stg::graph large{};  ///< of which this is a part
  mutable std::shared_ptr<stg::blocks::state> memory_of_blocks{};
  std::shared_ptr<stg::graph::state> memory{};  ///< of `graph`, for the next one; nothing to read
};

}  // namespace stg
