// A part of a large graph that a program takes in one step, and what tells where each of its rows comes from.
#pragma once

#include <stg/runtime/blocks.hpp>  // blocks
#include <stg/runtime/graph.hpp>   // graph
#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // int32_t, int64_t
#include <memory>   // shared_ptr
#include <vector>   // vector

namespace stg {

/// An ordinary graph, on which programs run as on any other, whose vertices and edges are some of a large graph's.
///
/// Vertices are numbered as they are reached: first the seeds, in the order in which they are given, then those that
/// hop 1 reaches, and so on. An edge belongs to the hop that its destination was looked into: those of hop 1 go into
/// seeds. Vertices that the last hop reaches have no in-edges, unless they were there before, and programs are given
/// their in-degree in the large graph; so after as many hops as a model has layers, the rows of the seeds are what the
/// model would give for them with these neighbours, and other rows are means to that end.
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
  /// (edges) what a sampler that is not uniform multiplies messages by, else empty.
  std::vector<float> edge_weights{};
  /// (vertices) the seed, counted in the batch, that each was reached from: of samplers whose seeds share no vertices,
  /// else empty.
  std::vector<std::int32_t> roots{};
  /// (vertices) of those that no hop looked into the in-edges that there were: of samplers by time, of which those of
  /// the large graph have later ones; else empty.
  std::vector<std::int32_t> earlier_degrees{};

  // Of a `link_sampler`, else empty: pairs of vertices of the batch, the first `true_pairs` of which are edges.
  std::vector<std::int32_t> pair_src{}, pair_dst{};
  std::int64_t true_pairs = 0;

  std::int64_t hops() const { return static_cast<std::int64_t>(edge_offsets.empty() ? 0 : edge_offsets.size() - 1); }
  /// What was sampled as programs compute it hop by hop, in place of `graph`: no row that the seeds do not need. Where
  /// all vertices are seeds, as of a subgraph, it is the graph. They use the memory of the last ones that were made of
  /// this batch, unless somebody holds a copy; one thread makes them at a time.
  ///
  ///   step(b.blocks(), x = b[X], label = b[Y], known = b.known, params);
  stg::blocks blocks() const;
  /// True at the seeds, (vertices): the mask of a loss.
  ///
  ///   step(b.graph, x = X, label = Y, known = b.seed_mask(), params);
  tensor<bool> seed_mask() const;
  /// The same in the memory of a tensor, which is made anew where it has another shape.
  void seed_mask(tensor<bool>& into) const;
  /// `edge_weights` as values of the edges of `graph`. They share no memory with the batch.
  edge_values<float> weights() const;

  /// The pairs as edges of a graph of its own, over the vertices of the batch: what a program of scores runs on.
  stg::graph pairs() const;
  /// The same over the seeds alone, which are the rows of what was computed on `blocks()`.
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
