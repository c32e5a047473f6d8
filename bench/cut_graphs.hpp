// Graphs that can be cut well, beside graphs.hpp's that cannot.
#pragma once

#include <stg/runtime/graph.hpp>  // graph

#include <cstdint>  // int64_t
#include <random>   // mt19937
#include <utility>  // pair
#include <vector>   // vector

namespace graphs {

/// side × side vertices, edges to the four beside each and to itself.
inline stg::graph grid(std::int64_t side) {
  std::vector<std::int64_t> src, dst;
  for (std::int64_t r = 0; r < side; ++r)
    for (std::int64_t c = 0; c < side; ++c)
      for (const auto& [dr, dc] : {std::pair{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}}) {
        if (r + dr < 0 || r + dr >= side || c + dc < 0 || c + dc >= side) continue;
        src.push_back((r + dr) * side + c + dc);
        dst.push_back(r * side + c);
      }
  return stg::graph::from_edges(side * side, src, dst);
}

/// Communities of a thousand vertices, ten edges a vertex, of which one in twenty leaves the community.
inline stg::graph planted(std::int64_t communities) {
  std::mt19937 random(1);
  const std::int64_t size = 1000, n = communities * size;
  std::vector<std::int64_t> src, dst;
  const auto below = [&](std::int64_t k) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(k)); };
  for (std::int64_t v = 0; v < n; ++v)
    for (int k = 0; k < 10; ++k) {
      src.push_back(below(20) == 0 ? below(n) : v / size * size + below(size));
      dst.push_back(v);
    }
  return stg::graph::from_edges(n, src, dst).add_self_loops();
}

}  // namespace graphs
