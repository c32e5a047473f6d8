// rank_rows: the rows of a cut graph on one rank: its own, the halo, and the lists of rows to exchange.
#pragma once

#include <cstdint>  // int32_t, int64_t, uint64_t
#include <memory>   // shared_ptr
#include <span>     // span
#include <vector>   // vector

#include <stg/runtime/adjacency.hpp>     // adjacency
#include <stg/runtime/communicator.hpp>  // communicator
#include <stg/runtime/long_rows.hpp>     // long_row_list

namespace stg {

namespace gpu {
struct rows_on_device;
}

/// Rows, or edges by id, that two ranks exchange. Each list is in the order of ids in the whole graph, on both sides.
struct exchanged_rows {
  int with = 0;                       // the other rank
  std::vector<std::int32_t> sent{};   // own rows that the other has beside its own
  std::vector<std::int32_t> taken{};  // rows of the other
};

/// Consecutive rows.
struct row_range {
  std::int64_t first = 0, last = 0;
};
/// Own rows in two lists, each ascending: those whose neighbours along one direction of edges are own ones, and the
/// others. A row of few is with the others though its neighbours are own ones.
struct rows_by_neighbours {
  std::vector<row_range> interior{}, boundary{};
};

/// How ranks share a sweep along edges: each computes its own rows, of all columns of features, or all rows of some
/// columns, where nothing mixes them (codegen/column_sweeps.hpp); or each sweep in the way that sends fewer bytes
/// (codegen/column_choice.hpp).
enum class cut_by : unsigned char { rows, features, cheapest };

/// What each part of a cut has, as if it were a rank's.
struct sizes_of_parts {
  std::vector<std::int64_t> vertices{}, edges{};  // by part: own ones, and edges that end in them
  std::int64_t halo_rows = 0, cut_edges = 0;      // of all parts together
};

/// The whole graph beside a part, where sweeps are cut by features: all rows of some columns.
struct whole_rows {
  cut_by way = cut_by::features;
  sizes_of_parts parts{};  // where each sweep is cut in the cheapest way
  adjacency in{}, out{};
  std::int64_t vertices = 0, edges = 0;
  // Vertices, rank after rank, each rank's in the order of its own rows; where each rank begins, (ranks + 1).
  std::vector<std::int32_t> by_rank{};
  std::vector<std::int64_t> first_of_rank{};
  std::shared_ptr<const void> graph{};  // keeps the two

  std::span<const std::int32_t> rows_of(int rank) const {
    const auto r = static_cast<std::size_t>(rank);
    return std::span(by_rank).subspan(static_cast<std::size_t>(first_of_rank[r]),
                                      static_cast<std::size_t>(first_of_rank[r + 1] - first_of_rank[r]));
  }
};

/// The rows of a part, by the numbers of its rank: own rows first, block after block, then the halo, the neighbours of
/// own rows on other ranks. Edges into own rows come first, then edges from own rows into the halo.
struct rank_rows {
  communicator* ranks = nullptr;
  std::int64_t own_vertices = 0, own_edges = 0;  // that this rank computes, the first ones
  std::int64_t all_vertices = 0, all_edges = 0;  // of the whole graph
  std::uint64_t cut = 0;                         // a number of the whole graph and its parts
  adjacency in{}, out{};                         // of own rows
  long_row_list in_long{}, out_long{};           // of the two
  rows_by_neighbours by_in{}, by_out{};          // own rows; long ones are of the boundary

  std::vector<exchanged_rows> vertices{};  // by the other rank, those with any
  // At a step of a graph that changes: the rows that any step reads. The halo has all of them.
  std::shared_ptr<const std::vector<exchanged_rows>> vertices_of_steps{};
  // Values of edges that were computed by the owner of one end are read by the owner of the other.
  std::vector<exchanged_rows> edges_made_in{};   // by the owner of the destination
  std::vector<exchanged_rows> edges_made_out{};  // by the owner of the source

  // Sums over rows are taken block by block, so that they do not depend on how many ranks there are.
  std::vector<std::int64_t> block_offsets{};    // (own blocks + 1): the first row of each
  std::vector<int> first_block{};               // (ranks + 1): the first block of each rank
  std::vector<unsigned char> block_has_rows{};  // of all blocks

  std::shared_ptr<const whole_rows> whole{};               // null: all sweeps are cut by rows
  std::shared_ptr<const gpu::rows_on_device> on_device{};  // where the rows lie on a device; else null

  int own_first_block() const { return first_block[static_cast<std::size_t>(ranks->rank())]; }
  int own_blocks() const { return static_cast<int>(block_offsets.size()) - 1; }
};

inline cut_by way_of(const rank_rows* part) {
  return part != nullptr && part->whole != nullptr ? part->whole->way : cut_by::rows;
}

}  // namespace stg
