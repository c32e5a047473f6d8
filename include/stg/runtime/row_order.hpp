// The order in which a GPU takes the rows of a graph.
#pragma once

#include <array>    // array
#include <bit>      // bit_width
#include <cstdint>  // int32_t, int64_t
#include <numeric>  // partial_sum
#include <vector>   // vector

#include <stg/runtime/adjacency.hpp>  // adjacency

namespace stg {

/// Rows by degree, the longest first: by the power of two below it, and ascending where that is the same. So groups of
/// one warp, which wait for each other, have rows of about the same length; and neighbours in the graph's numbering,
/// which often share neighbours, stay together. rows: on the host.
///
///   stg::rows_by_degree(g.in_edges());  // in-degrees 3 0 9 2: rows 2 0 3 1
inline std::vector<std::int32_t> rows_by_degree(const adjacency& rows) {
  const auto bin = [&](std::int64_t v) {
    return 63 - static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(rows.degree(v))));
  };
  std::array<std::size_t, 65> begin{};  // of each bin
  for (std::int64_t v = 0; v < rows.rows(); ++v) ++begin[bin(v) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::int32_t> order(begin.back());
  for (std::int64_t v = 0; v < rows.rows(); ++v) order[begin[bin(v)]++] = static_cast<std::int32_t>(v);
  return order;
}

}  // namespace stg
