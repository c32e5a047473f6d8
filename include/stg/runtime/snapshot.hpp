// Edges of one step of a graph that changes, as they are given.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t
#include <vector>   // vector

namespace stg {

/// Edges of one step, in any order: edge i goes from src[i] to dst[i]. `weights` has one per edge, or is empty where
/// edges have none.
///
///   stg::snapshot_edges monday{{0, 2}, {1, 1}, {0.5, 3}};     // 0 -> 1 of weight 0.5, 2 -> 1 of weight 3
struct snapshot_edges {
  std::vector<std::int64_t> src{}, dst{};
  std::vector<double> weights{};

  std::int64_t size() const { return static_cast<std::int64_t>(src.size()); }
  bool operator==(const snapshot_edges&) const = default;
};

}  // namespace stg
