// part_rows: the vertices of a set that a rank has, and the edges between two sets of them, numbered anew.
#pragma once

#include <stg/distributed/cut.hpp>       // cut
#include <stg/runtime/communicator.hpp>  // communicator
#include <stg/runtime/rank_rows.hpp>     // rank_rows

#include "../runtime/graph/graph_state.hpp"  // graph::state

#include <cstdint>      // int32_t, int64_t
#include <memory>       // shared_ptr, unique_ptr
#include <span>         // span
#include <string>       // string
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::distributed {

/// The rows of a vertex set on one rank: own ones first, block after block, then the halo, by rank and number.
class part_rows {
 public:
  /// Own rows. set: empty of a plain graph.
  part_rows(const cut& of, std::string_view set, communicator& ranks);
  /// Adds the other ends, in this set, of edges of own rows of `owners`.
  void add_ends(const part_rows& owners, const adjacency& edges);
  /// Numbers the halo, once all ends are there.
  void number_halo();
  /// Has the owners of `ends` be sent own rows of this set: those whose edges lead to them.
  void send_to(const part_rows& ends, const adjacency& edges);
  /// The rows to exchange, once all is said of them. Afterwards only numbers are asked for.
  void write_exchanged(rank_rows& to);
  /// The sizes, and the blocks of own rows.
  void write_sizes(rank_rows& to) const;

  std::int64_t rows() const { return static_cast<std::int64_t>(global_.size()); }
  std::int64_t own_rows() const { return block_offsets_.back(); }
  bool is_own(std::int64_t row) const { return row < own_rows(); }
  /// The whole graph's number of a row, and the row of a vertex: negative where it is not there.
  std::int32_t global(std::int64_t row) const { return global_[at(row)]; }
  std::int32_t row_of(std::int64_t vertex) const { return row_of_[at(vertex)]; }
  int rank_of(std::int64_t vertex) const { return rank_of_part_[at(part_of_[at(vertex)])]; }
  int rank() const { return ranks_->rank(); }
  communicator& ranks() const { return *ranks_; }
  const std::vector<std::int32_t>& global_rows() const { return global_; }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

  communicator* ranks_;
  std::span<const std::int32_t> part_of_;  // of the cut
  std::vector<int> rank_of_part_{};
  std::vector<int> first_block_{};
  std::vector<unsigned char> block_has_rows_{};
  std::vector<std::int64_t> block_offsets_{0};
  std::vector<std::int32_t> global_{};                // by row
  std::vector<std::int32_t> row_of_{};                // by vertex of the whole graph; -1: none
  std::vector<std::vector<std::int32_t>> sent_to_{};  // by rank, vertices
};

/// The edges of own rows, from sources to destinations: those that end in own rows, then those that begin in own rows
/// and end in the halo. Rows hold them in the whole graph's order. `name` is the user's, for an error: more than
/// 2^31 - 1 edges on a rank. mine: the sizes of the destinations; the edges' are written beside them.
std::shared_ptr<graph::state> part_of_edges(const graph& whole, const part_rows& sources, const part_rows& destinations,
                                            const std::string& name, std::unique_ptr<rank_rows> mine);

/// Own rows of all ranks, each put to its place in the whole graph: `from` has those of this rank first, `row` bytes
/// each. part: of the set. All ranks call it.
void gather_rows(const cut& of, std::string_view set, const rank_rows& part, const std::byte* from, std::int64_t row,
                 std::byte* to);

}  // namespace stg::distributed
