// Small graphs of every kind that a program may meet, each with a name for messages.
#pragma once

#include <stg/runtime/graph.hpp>  // graph

#include <cstdint>  // int64_t
#include <random>   // mt19937
#include <span>     // span
#include <string>   // string
#include <vector>   // vector

namespace stg::test {

struct family {
  std::string name;
  stg::graph graph;
};

/// A graph from a list of (source, destination).
inline graph from_pairs(std::int64_t vertices, const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs) {
  std::vector<std::int64_t> src, dst;
  for (const auto& [from, to] : pairs) {
    src.push_back(from);
    dst.push_back(to);
  }
  return graph::from_edges(vertices, std::span<const std::int64_t>(src), std::span<const std::int64_t>(dst));
}

/// Sources are drawn evenly, destinations with a weight of 1 / (1 + v): a few hubs, many leaves.
inline graph power_law(std::int64_t vertices, std::int64_t edges, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> weights;
  for (std::int64_t v = 0; v < vertices; ++v) weights.push_back(1 / (1 + static_cast<double>(v)));
  std::discrete_distribution<std::int64_t> hub(weights.begin(), weights.end());
  std::uniform_int_distribution<std::int64_t> any(0, vertices - 1);
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::int64_t e = 0; e < edges; ++e) {
    const std::int64_t from = any(random);
    pairs.push_back({from, hub(random)});
  }
  return from_pairs(vertices, pairs);
}

/// Loops, parallel edges, a vertex without in-edges, one without out-edges and an isolated one.
inline graph mixed() { return from_pairs(5, {{0, 1}, {2, 1}, {1, 2}, {2, 2}, {0, 2}, {0, 2}, {1, 3}, {2, 3}, {1, 1}}); }

inline std::vector<family> families() {
  std::vector<family> all;
  all.push_back({"empty", graph()});
  all.push_back({"one vertex", from_pairs(1, {})});
  all.push_back({"one loop", from_pairs(1, {{0, 0}})});
  all.push_back({"isolated", from_pairs(7, {{1, 3}, {3, 1}, {5, 3}})});
  all.push_back({"loops", from_pairs(4, {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 1}})});
  all.push_back({"parallel", from_pairs(3, {{0, 1}, {0, 1}, {0, 1}, {2, 1}, {2, 1}, {1, 0}})});
  std::vector<std::pair<std::int64_t, std::int64_t>> in, out, path, complete;
  for (std::int64_t v = 1; v < 40; ++v) {
    in.push_back({v, 0});
    out.push_back({0, v});
  }
  for (std::int64_t v = 0; v + 1 < 12; ++v) path.push_back({v, v + 1});
  for (std::int64_t v = 0; v < 6; ++v)
    for (std::int64_t u = 0; u < 6; ++u)
      if (u != v) complete.push_back({v, u});
  all.push_back({"star in", from_pairs(40, in)});
  all.push_back({"star out", from_pairs(40, out)});
  all.push_back({"path", from_pairs(12, path)});
  all.push_back({"complete", from_pairs(6, complete)});
  all.push_back({"mixed", mixed()});
  all.push_back({"power law", power_law(30, 120, 7)});
  return all;
}

}  // namespace stg::test
