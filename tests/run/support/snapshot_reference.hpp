// What a step of a graph_sequence has to be: the graph of its edges in order, and their weights, bit by bit.
#pragma once

#include <stg/runtime/graph_sequence.hpp>  // graph_sequence

#include <gtest/gtest.h>  // EXPECT_EQ

#include <algorithm>  // sort
#include <bit>        // bit_cast
#include <cstdint>    // uint32_t
#include <string>     // to_string
#include <tuple>      // tuple
#include <vector>     // vector

namespace stg::test {

/// An edge as the reference sorts it: destination, source, weight.
using reference_edge = std::tuple<std::int64_t, std::int64_t, float>;

inline std::vector<reference_edge> in_order(const snapshot_edges& edges) {
  std::vector<reference_edge> sorted;
  for (std::size_t e = 0; e < edges.src.size(); ++e)
    sorted.emplace_back(edges.dst[e], edges.src[e],
                        edges.weights.empty() ? 0.0f : static_cast<float>(edges.weights[e]));
  std::sort(sorted.begin(), sorted.end());
  return sorted;
}

inline bool same(const adjacency& a, const adjacency& b) {
  if (a.rows() != b.rows() || a.edges() != b.edges()) return false;
  for (std::int64_t v = 0; v < a.rows(); ++v)
    if (a.begin(v) != b.begin(v) || a.end(v) != b.end(v)) return false;
  for (std::int64_t k = 0; k < a.edges(); ++k)
    if (a.neighbour(k) != b.neighbour(k) || a.edge_id(k) != b.edge_id(k)) return false;
  const long_rows &cut = a.long_rows(), &other = b.long_rows();
  const bool same_ids = a.edges() == 0 || a.ids_are_positions() == b.ids_are_positions();
  return same_ids && cut.count == other.count && cut.parts == other.parts;
}

/// What a step has to be: the graph that from_edges makes of its edges in order, and their weights.
struct reference {
  graph of;
  std::vector<float> weights;
};

inline reference reference_of(std::int64_t vertices, const snapshot_edges& edges) {
  std::vector<std::int64_t> src, dst;
  std::vector<float> weights;
  for (const auto& [d, s, w] : in_order(edges)) src.push_back(s), dst.push_back(d), weights.push_back(w);
  return {graph::from_edges(vertices, src, dst), weights};
}

/// Expects a step to be that, bit by bit.
inline void expect_step(graph_sequence& sequence, std::int64_t step, const reference& expected) {
  SCOPED_TRACE("step " + std::to_string(step));
  const graph &found = sequence.at(step), &of = expected.of;
  ASSERT_EQ(found.edges(), of.edges());
  EXPECT_EQ(sequence.edges_at(step), of.edges());
  EXPECT_TRUE(same(found.in_edges(), of.in_edges()));
  EXPECT_TRUE(same(found.out_edges(), of.out_edges()));
  EXPECT_TRUE(std::ranges::equal(found.in_degrees(), of.in_degrees()));
  EXPECT_TRUE(std::ranges::equal(found.out_degrees(), of.out_degrees()));
  EXPECT_EQ(found.edge_identity(), of.edge_identity());
  EXPECT_EQ(sequence.edge_identity_at(step), of.edge_identity());
  EXPECT_EQ(found.edge_list(), of.edge_list());
  if (!sequence.has_weights()) return;
  const tensor<float>& values = sequence.weights_at(step).values();
  ASSERT_EQ(values.shape(), dimensions({found.edges()}));
  const auto bits = [](float w) { return std::bit_cast<std::uint32_t>(w); };
  EXPECT_TRUE(std::ranges::equal(values, expected.weights, {}, bits, bits));
  EXPECT_EQ(sequence.weights_at(step).edge_identity(), found.edge_identity());
}
inline void expect_step(graph_sequence& sequence, std::int64_t step, const snapshot_edges& edges) {
  expect_step(sequence, step, reference_of(sequence.vertices(), edges));
}

}  // namespace stg::test
