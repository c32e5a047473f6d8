// The rows of one vertex set or relation, as calls and kernels read them.
#pragma once

#include <cstdint>  // int64_t

#include <stg/runtime/adjacency.hpp>  // adjacency

namespace stg {

struct rank_rows;

/// A vertex set or relation of a program in a graph: its vertices or edges; of a relation the rows of its destinations
/// and of its sources, of a set as many rows without edges.
struct kind_rows {
  std::int64_t rows = 0;
  adjacency in{}, out{};
  // Of a part of cut graphs, where the rows of `in` and `out` are own ones, and `rows` all that are there.
  const rank_rows* ranks = nullptr;            // null of whole graphs
  std::int64_t own_rows = 0, all_rows = 0;     // that this rank computes; of the whole graphs
  std::int64_t sources = 0, destinations = 0;  // of a relation: vertices that are there at its ends

  /// Rows of a value that are computed.
  STG_HOST_DEVICE constexpr std::int64_t computed() const { return ranks == nullptr ? rows : own_rows; }
  /// Rows as a program counts them.
  STG_HOST_DEVICE constexpr std::int64_t counted() const { return ranks == nullptr ? rows : all_rows; }
};

}  // namespace stg
