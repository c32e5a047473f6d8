// part_rows: the vertices of a set that a rank has, numbered anew: its own ones, and the halo.
#pragma once

#include <stg/distributed/cut.hpp>       // cut
#include <stg/runtime/adjacency.hpp>     // adjacency
#include <stg/runtime/communicator.hpp>  // communicator
#include <stg/runtime/graph.hpp>         // graph
#include <stg/runtime/rank_rows.hpp>     // rank_rows

#include <cstdint>      // int32_t, int64_t
#include <span>         // span
#include <string_view>  // string_view
#include <vector>       // vector

namespace stg::distributed {

/// Edges of vertices in both directions, with the neighbours and ids of the whole graph: ids ascend in each row, and
/// are consecutive among the edges into a vertex.
struct edges_of_vertices {
  adjacency in{}, out{};
  bool are_of_own_rows = false;                                      // row r is of the rank's row r, else of vertex r
  const std::int32_t *in_degrees = nullptr, *out_degrees = nullptr;  // of each vertex of the whole graph
};

/// The edges of the whole graph, of one step's graph, or of a relation.
inline edges_of_vertices edges_of_all(const graph& whole) {
  return {whole.in_edges(), whole.out_edges(), false, whole.in_degrees().data(), whole.out_degrees().data()};
}

/// The rows of a vertex set on one rank: own ones first, block after block, then the halo, by rank and number. Memory
/// beside the part: 4 bytes for each vertex of the set.
class part_rows {
 public:
  /// Own rows. set: empty of a plain graph.
  part_rows(const cut& of, std::string_view set, communicator& ranks);

  /// Adds to the halo the other ends, in this set, of the edges of own rows of `owners` along one direction.
  void add_ends(const part_rows& owners, const adjacency& edges, bool are_of_own_rows);
  /// Adds vertices of other ranks to the halo, each once.
  void add_halo(std::span<const std::int32_t> vertices);
  /// Numbers the halo, once all of it is there.
  void number_halo();
  /// Has another rank be sent an own row, since an edge joins it with a row of that rank.
  void send(std::int64_t own, int other);
  /// Has a row of the halo be taken from its owner.
  void take(std::int64_t halo) { is_taken_[at(halo - own_rows())] = 1; }
  /// The rows to exchange, once all is said of them.
  void write_exchanged(rank_rows& to) const;
  /// The sizes, and the blocks of own rows.
  void write_sizes(rank_rows& to) const;

  std::int64_t rows() const { return static_cast<std::int64_t>(global_.size()); }
  std::int64_t own_rows() const { return block_offsets_.back(); }
  bool is_own(std::int64_t row) const { return row < own_rows(); }
  /// The whole graph's number of a row, and the row of a vertex that is there.
  std::int32_t global(std::int64_t row) const { return global_[at(row)]; }
  std::int32_t row_of(std::int64_t vertex) const { return row_of_[at(vertex)]; }
  int rank_of_row(std::int64_t row) const { return rank_of(global(row)); }
  int rank() const { return ranks_->rank(); }
  communicator& ranks() const { return *ranks_; }
  const std::vector<std::int32_t>& global_rows() const { return global_; }
  /// The vertices of the halo, in any order before they are numbered.
  std::span<const std::int32_t> halo() const { return std::span(global_).subspan(at(own_rows())); }

 private:
  static std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
  int rank_of(std::int64_t vertex) const { return rank_of_part_[at(part_of_[at(vertex)])]; }

  communicator* ranks_;
  std::span<const std::int32_t> part_of_;  // of the cut
  std::vector<int> rank_of_part_{};
  std::vector<int> first_block_{};
  std::vector<unsigned char> block_has_rows_{};
  std::vector<std::int64_t> block_offsets_{0};
  std::vector<std::int32_t> global_{};                // by row
  std::vector<std::int32_t> row_of_{};                // by vertex of the whole graph; negative: none
  std::vector<std::vector<std::int32_t>> sent_to_{};  // by rank, own rows
  std::vector<unsigned char> is_taken_{};             // by row of the halo
};

/// Of what is exchanged with each rank, by its number, what is not nothing.
void keep_those_with_any(std::vector<exchanged_rows>& by_rank, std::vector<exchanged_rows>& to);

/// Own rows of all ranks, each put to its place in the whole graph: `from` has those of this rank first, `row` bytes
/// each. part: of the set. All ranks call it.
void gather_rows(const cut& of, std::string_view set, const rank_rows& part, const std::byte* from, std::int64_t row,
                 std::byte* to);

}  // namespace stg::distributed
