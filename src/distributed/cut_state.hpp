// What a cut keeps, for the sources that make parts of it.
#pragma once

#include <stg/base/error.hpp>            // error
#include <stg/distributed/cut.hpp>       // cut
#include <stg/runtime/communicator.hpp>  // communicator

#include <cstdint>   // int32_t, int64_t, uint64_t
#include <memory>    // shared_ptr
#include <optional>  // optional
#include <string>    // string, to_string
#include <utility>   // move
#include <vector>    // vector

#include "../runtime/graph/graph_state.hpp"  // mixed
#include "edges_of_steps.hpp"                // edges_of_steps

namespace stg {

namespace detail {
/// Rows, and edges of both directions.
inline std::int64_t work_of(const graph& g, std::int64_t v) {
  return 1 + g.in_degrees()[static_cast<std::size_t>(v)] + g.out_degrees()[static_cast<std::size_t>(v)];
}
}  // namespace detail

namespace detail {
/// Edges of one kind and direction of a set's vertices, and the parts of their other ends.
struct edges_of_set {
  adjacency edges;
  std::span<const std::int32_t> part_of_neighbour;
};
/// The vertices of a set by part and by block.
struct cut_set {
  std::string name{};                         // empty of a plain graph
  std::vector<std::int32_t> part_of{};        // (vertices)
  std::vector<std::int32_t> by_block{};       // (vertices) block after block
  std::vector<std::int64_t> block_offsets{};  // (blocks + 1)

  cut_set() = default;
  /// edges: of all relations that touch the set; vertices without neighbours in other parts come first in each part.
  cut_set(std::string_view name_of_set, std::span<const std::int32_t> part_of_each, int parts,
          std::span<const edges_of_set> edges);
  std::span<const std::int32_t> block(int number) const {
    const std::int64_t first = block_offsets[static_cast<std::size_t>(number)];
    return {by_block.data() + first,
            static_cast<std::size_t>(block_offsets[static_cast<std::size_t>(number + 1)] - first)};
  }
};
}  // namespace detail

struct cut::state {
  graph whole{};                         // of no vertices where the cut was read from a folder
  std::int64_t vertices = 0, edges = 0;  // of a plain graph
  std::uint64_t edge_identity = 0;       // of the whole graph's edges
  std::uint64_t number = 0;              // of the whole graph and its parts
  int parts = 1;
  std::vector<detail::cut_set> sets{};            // of a plain graph one
  std::optional<detail::edges_of_steps> steps{};  // of a graph that changes

  /// Of a plain graph.
  const detail::cut_set& plain() const { return sets[0]; }
  const detail::cut_set& set_of(std::string_view name) const;
  std::int64_t work_of(std::int64_t v) const { return steps ? steps->work(v) : detail::work_of(whole, v); }
  std::int64_t times_of(std::int64_t edge) const { return steps ? steps->times(edge) : 1; }
};

namespace detail {

struct cut_access {
  using state = cut::state;
  static const state& state_of(const cut& c) { return *c.state_; }
  static cut of(std::shared_ptr<const state> s) { return cut(std::move(s)); }
};

/// The first part of each of so many ranks, and the number of parts: rank r of k has parts [parts r / k, ...).
inline int first_part_of(const cut& c, int rank, int ranks) { return c.parts() * rank / ranks; }
/// The first block of a part.
inline int first_block_of(const cut& c, int part) { return cut::blocks * part / c.parts(); }

/// The rank of each part.
inline std::vector<int> ranks_of_parts(const cut& c, int ranks) {
  std::vector<int> of;
  for (int r = 0; r < ranks; ++r) of.resize(static_cast<std::size_t>(first_part_of(c, r + 1, ranks)), r);
  return of;
}
/// The first block of each rank, and the number of blocks.
inline std::vector<int> first_blocks_of(const cut& c, int ranks) {
  std::vector<int> first;
  for (int r = 0; r <= ranks; ++r) first.push_back(first_block_of(c, first_part_of(c, r, ranks)));
  return first;
}
/// A number of a graph and its parts, which ranks compare.
inline std::uint64_t mixed_with_parts(std::uint64_t number, std::span<const std::int32_t> part_of) {
  for (const std::int32_t part : part_of) number = mixed(number + static_cast<std::uint64_t>(part));
  return number;
}

/// Error for more ranks than parts.
inline void check_ranks(const char* of, const cut& c, const communicator& ranks) {
  if (ranks.size() > c.parts())
    throw error(std::string(of) + ": " + std::to_string(ranks.size()) + " ranks of a graph that is cut into " +
                std::to_string(c.parts()) + " parts; cut it into more");
}

}  // namespace detail

}  // namespace stg
