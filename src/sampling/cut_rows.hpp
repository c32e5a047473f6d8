// Cutting rows into blocks that fit into a number of bytes.
#pragma once

#include <stg/runtime/adjacency.hpp>  // adjacency

#include <cstddef>  // size_t
#include <cstdint>  // int64_t
#include <span>     // span
#include <string>   // string
#include <vector>   // vector

namespace stg::detail {

/// A relation that ends in the rows: its in-edges, and the number of the set that they come from.
struct sized_relation {
  adjacency in{};
  std::size_t source = 0;
  std::int64_t edge_bytes = 0;
};
/// A set of vertices.
struct sized_set {
  std::int64_t vertices = 0, vertex_bytes = 0;
};

/// Where blocks begin, and the number of rows: as many rows in each as fit, with their in-edges of all relations; a
/// vertex of a block counts once. rows: the number of their set. Errors, which `by` begins: a limit that is not above
/// 0, sizes that are negative or too large to be counted, and a row that does not fit alone.
std::vector<std::int64_t> cut_rows(const std::string& by, std::int64_t bytes, std::span<const sized_set> sets,
                                   std::span<const sized_relation> relations, std::size_t rows);

}  // namespace stg::detail
