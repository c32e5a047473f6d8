// Blocks: a sample of a large graph as programs compute it, hop by hop.
#pragma once

#include <cstdint>  // int64_t
#include <memory>   // shared_ptr
#include <span>     // span

#include <stg/ir/block_kind.hpp>      // block_kind
#include <stg/runtime/graph.hpp>      // graph
#include <stg/runtime/kind_rows.hpp>  // kind_rows

namespace stg {

/// What a call takes in place of a graph to compute the rows of the seeds, and on the way to them no row that they do
/// not need: of a model of two layers the first one for the seeds and their neighbours, the second for the seeds.
/// Outputs have a row for each seed, and inputs are bound as they are for the batch's graph, a row for each vertex.
/// Values and gradients are those of the batch's graph under a loss of the seeds. Made by `batch.blocks()`; copies
/// share what they have, and it lives as long as they do.
///
///   auto now = step(b.blocks(), x = b[X], label = b[Y], known = b.known, params);
class blocks {
 public:
  /// A whole graph, whose vertices are all seeds: every hop has all rows. They lie where it does.
  explicit blocks(const graph& all);
  /// A sample: hop h reaches the vertices before vertex_offsets[h + 1], (hops + 2), and looked into those before
  /// vertex_offsets[h]. vertices: which vertex of the large graph each is, whose in_degrees those have that were not
  /// looked into. Errors: offsets that do not ascend from 0 to the graph's vertices, other numbers of them, a graph on
  /// a device, and an id that is no vertex.
  blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets, std::span<const std::int32_t> vertices,
         std::span<const std::int32_t> in_degrees);
  struct state;  // in src/runtime/blocks.cpp
  /// What is kept of earlier blocks lets go of their graph, where nobody else holds them.
  static void let_go(const std::shared_ptr<state>& memory);
  /// The same in the memory of earlier blocks, where nobody else holds it; allocates nothing once that is large enough.
  blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets, std::span<const std::int32_t> vertices,
         std::span<const std::int32_t> in_degrees, std::shared_ptr<state>& memory);

  /// Where the rows of its hops lie: stg::host, or stg::cuda(device).
  location place() const;
  /// The same elsewhere; itself when they lie there. Errors: no such device, and no memory on it.
  ///
  ///   step(b.blocks().to(stg::cuda()), x = b[X].to(stg::cuda()), label = b[Y].to(stg::cuda()), params);
  blocks to(location where) const;

  /// All that was sampled, as a graph.
  const graph& whole() const;
  /// The rows that outputs have.
  std::int64_t seeds() const;

  /// Writes what the sample has of each kind: that of number n to found[n], of wanted[n - 1]. Error where the program
  /// reads more hops away than were sampled.
  void find(std::span<const ir::block_kind> wanted, int hops, kind_rows* found) const;

 private:
  friend class call_graph;
  blocks() = default;  // of nothing: a call on a graph has no hops
  std::shared_ptr<const state> state_;
};

}  // namespace stg
