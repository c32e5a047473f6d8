// Values of edges in the order of walks along out-edges.
//
// They lie by id, in the order of in-edges. Read one number at a time along out-edges, each costs a cache line: more
// than a quarter of the cost of a row of 64 features. Moving all of them first costs a fraction of it. A first pass
// walks the values in memory order and hands each to its block, with one stream of stores for each block; a second one
// orders each block, which fits a second-level cache by then.
#pragma once

#include <cstddef>  // byte
#include <cstdint>  // int64_t, uint16_t, uint32_t
#include <mutex>    // once_flag
#include <vector>   // vector

#include <stg/runtime/adjacency.hpp>  // adjacency

namespace stg {

/// The places of edge values in the order of an adjacency with ids other than its positions. Its table, 6 bytes per
/// edge, is made at the first use, or by `prepare`; safe to use from several threads at a time.
class edge_order {
 public:
  /// Positions ordered together.
  static constexpr std::int64_t block = 1 << 16;
  /// Most edges whose places have 32 bits.
  static constexpr std::int64_t most_edges = (std::int64_t{1} << 32) - 1;

  /// Of rows that outlive it, on the host.
  explicit edge_order(const adjacency& rows) : rows_(rows) {}

  void prepare() const;
  /// Copies values of `row` bytes, 4 or 8, from by_id, (edges), to the positions of blocks [first, last): `to` begins
  /// with the position of block `first`. scratch: block · row bytes for each of `slots`, as parallel_in_slots counts
  /// them.
  ///
  ///   order.lay_out(w, 4, 0, order.blocks(), to, scratch, slots);   // to[k] = w[rows.edge_id(k)] for every k
  void lay_out(const std::byte* by_id, std::int64_t row, std::int64_t first, std::int64_t last, std::byte* to,
               std::byte* scratch, std::int64_t slots) const;

  std::int64_t blocks() const { return blocks_of(rows_.edges()); }
  static constexpr std::int64_t blocks_of(std::int64_t edges) { return (edges + block - 1) / block; }

 private:
  void find_places() const;

  adjacency rows_;
  mutable std::once_flag once_;
  mutable std::vector<std::uint32_t> place_of_id_;     // (edges) a place in the value's block
  mutable std::vector<std::uint16_t> place_in_block_;  // (edges) the place in the block that each position takes from
};

}  // namespace stg
