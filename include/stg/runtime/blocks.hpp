// Blocks: a sample of a large graph as programs compute it, hop by hop.
#pragma once

#include <cstddef>      // size_t
#include <cstdint>      // int64_t
#include <memory>       // shared_ptr
#include <span>         // span
#include <string_view>  // string_view

#include <stg/ir/block_kind.hpp>      // block_kind
#include <stg/ir/program.hpp>         // kind_list
#include <stg/runtime/graph.hpp>      // graph
#include <stg/runtime/graphs.hpp>     // graphs
#include <stg/runtime/kind_rows.hpp>  // kind_rows

namespace stg {

/// Replaces the graph of a call to compute the rows of the seeds, and on the way only rows that they need: of a model
/// of two layers the first one for the seeds and their neighbours, the second for the seeds. Outputs have a row for
/// each seed, and inputs are bound as for the batch's graph, a row for each vertex. Values and gradients equal those of
/// the batch's graph under a loss of the seeds. Made by `batch.blocks()`; copies share their data, and it lives as long
/// as they do.
///
///   auto now = step(b.blocks(), x = b[X], label = b[Y], known = b.known, params);
class blocks {
 public:
  /// A whole graph, or graphs of several kinds, whose vertices are all seeds: every hop has all rows. They lie where it
  /// does.
  explicit blocks(const graph& all);
  /// A sample: hop h reaches the vertices before vertex_offsets[h + 1], (hops + 2), and looked into the ones before
  /// vertex_offsets[h]. vertices: the number of each in the large graph. in_degrees: of the large graph, for vertices
  /// that no hop looked into. Errors: offsets that do not ascend from 0 to the graph's vertices, other numbers of them,
  /// a graph on a device, and an id that is no vertex.
  blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets, std::span<const std::int32_t> vertices,
         std::span<const std::int32_t> in_degrees);
  struct state;  // in src/runtime/blocks.cpp
  /// The sample of a vertex set of graphs of several kinds.
  struct sampled_set {
    std::string_view name{};
    std::span<const std::int64_t> offsets{};   // as vertex_offsets above; of as many hops in all sets
    std::span<const std::int32_t> vertices{};  // their numbers in the large set
  };
  /// Of a sample of several kinds, as `graphs_batch::blocks` makes them: outputs are of vertices that are seeds.
  /// degrees: of each relation of the sample, in its order, nothing, or in-degrees of the sample's vertices in place of
  /// the large graphs'. The memory is used again as above. Errors: the ones above, a missing set, and other numbers of
  /// degrees.
  blocks(const graphs& sample, std::string_view seed_set, std::span<const sampled_set> sets, const graphs& large,
         std::shared_ptr<state>& memory, std::span<const std::span<const std::int32_t>> degrees = {});
  /// Earlier blocks let go of their graph if nobody else holds them.
  static void let_go(const std::shared_ptr<state>& memory);
  /// Made in the memory of earlier blocks if nobody else holds it; allocates nothing once it is large enough. degrees:
  /// nothing, or in-degrees of the sample's vertices in place of the graph's. Error for other numbers of them.
  blocks(const graph& sample, std::span<const std::int64_t> vertex_offsets, std::span<const std::int32_t> vertices,
         std::span<const std::int32_t> in_degrees, std::shared_ptr<state>& memory,
         std::span<const std::int32_t> degrees = {});

  /// The place of its hops' rows: stg::host, or stg::cuda(device).
  location place() const;
  /// The same elsewhere; itself when they lie there. Errors: no such device, and no memory on it.
  ///
  ///   step(b.blocks().to(stg::cuda()), x = b[X].to(stg::cuda()), label = b[Y].to(stg::cuda()), params);
  blocks to(location where) const;

  /// The whole sample, as a graph.
  const graph& whole() const&;
  graph whole() && { return whole(); }
  /// The number of rows of outputs.
  std::int64_t seeds() const;

  /// Writes the sample's rows of each kind: of number n to found[n], for wanted[n - 1]. kinds: of the program, none of
  /// a plain one. Errors if it reads more hops away than were sampled, and if its outputs are of a different set than
  /// the seeds.
  void find(ir::kind_list kinds, std::span<const ir::block_kind> wanted, int hops, kind_rows* found) const;

 private:
  friend class call_graph;
  static state& state_in(std::shared_ptr<state>& memory, std::size_t sets, std::size_t relations);
  blocks() = default;  // of nothing: a call on a graph has no hops
  std::shared_ptr<const state> state_;
};

}  // namespace stg
