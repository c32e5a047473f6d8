// How many vertices a list of edges needs that does not say so itself.
#pragma once

#include <algorithm>  // max
#include <cstdint>    // int64_t
#include <limits>     // numeric_limits
#include <vector>     // vector

namespace stg::detail {

/// One more than the largest number that is named; 0 where there is no edge.
inline std::int64_t vertices_named(const std::vector<std::int64_t>& src, const std::vector<std::int64_t>& dst) {
  std::int64_t largest = -1;
  for (const std::int64_t v : src) largest = std::max(largest, v);
  for (const std::int64_t v : dst) largest = std::max(largest, v);
  return largest == std::numeric_limits<std::int64_t>::max() ? largest
                                                             : largest + 1;  // too many for a graph, which says so
}

}  // namespace stg::detail
