// Graphs and checks that tests of samplers share.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor
#include <stg/sampling/batch.hpp>  // batch

#include <gtest/gtest.h>  // EXPECT_EQ

#include <cmath>    // sqrt
#include <cstddef>  // size_t
#include <cstdint>  // int32_t, int64_t
#include <map>      // map
#include <random>   // mt19937
#include <vector>   // vector

namespace stg::test {

/// Edges between vertices that are drawn, some far more often than others; loops and parallel edges among them.
inline graph drawn_graph(std::int64_t vertices, std::int64_t edges, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> src, dst;
  for (std::int64_t e = 0; e < edges; ++e) {
    src.push_back(random() % vertices);
    dst.push_back(random() % 4 == 0 ? random() % 5 : random() % vertices);  // five vertices with long rows
  }
  return graph::from_edges(vertices, src, dst);
}

/// Numbers from -1 to 1.
inline tensor<double> drawn(const dimensions& shape, unsigned seed) {
  std::mt19937 random(seed);
  auto t = tensor<double>::for_overwrite(shape);
  for (double& n : t) n = static_cast<double>(random() % 2001) / 1000 - 1;
  return t;
}
/// Ids below a number, a third of them below 4.
inline std::vector<std::int64_t> drawn_ids(std::size_t count, std::int64_t below, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::int64_t> ids(count);
  for (std::int64_t& i : ids) i = random() % 3 == 0 ? random() % 4 : random() % below;
  return ids;
}

/// The destination of each edge by its id.
inline std::vector<std::int32_t> destinations_of(const graph& g) {
  std::vector<std::int32_t> of;
  const adjacency in = g.in_edges();
  for (std::int64_t v = 0; v < in.rows(); ++v)
    for (std::int64_t k = in.begin(v); k < in.end(v); ++k) of.push_back(static_cast<std::int32_t>(v));
  return of;
}

/// What holds of every batch: its graph has the large one's edges, both ways, and offsets that fit.
inline void expect_sound(const batch& b, const graph& large) {
  const graph& g = b.graph;
  ASSERT_EQ(g.vertices(), static_cast<std::int64_t>(b.vertices.size()));
  ASSERT_EQ(g.edges(), static_cast<std::int64_t>(b.edges.size()));
  ASSERT_FALSE(b.vertex_offsets.empty());
  ASSERT_EQ(b.vertex_offsets.back(), g.vertices());
  ASSERT_EQ(b.edge_offsets.back(), g.edges());
  ASSERT_EQ(b.vertex_offsets.size(), b.edge_offsets.size() + 1);
  const std::vector<std::int32_t> dst = destinations_of(g), large_dst = destinations_of(large);
  const adjacency in = g.in_edges(), out = g.out_edges();
  for (std::int64_t e = 0; e < g.edges(); ++e) {
    const std::int64_t id = b.edges[static_cast<std::size_t>(e)];
    EXPECT_EQ(b.vertices[static_cast<std::size_t>(in.neighbour(e))], large.in_edges().neighbour(id));
    EXPECT_EQ(b.vertices[static_cast<std::size_t>(dst[static_cast<std::size_t>(e)])],
              large_dst[static_cast<std::size_t>(id)]);
  }
  // A graph of the same edges that is made by sorting has the same rows.
  std::vector<std::int32_t> src(in.neighbours(), in.neighbours() + g.edges());
  const graph again = graph::from_edges(g.vertices(), src, dst);
  for (std::int64_t v = 0; v <= g.vertices(); ++v) {
    ASSERT_EQ(again.in_edges().begin(v), in.begin(v));
    ASSERT_EQ(again.out_edges().begin(v), out.begin(v));
  }
  for (std::int64_t k = 0; k < g.edges(); ++k) {
    ASSERT_EQ(again.out_edges().neighbour(k), out.neighbour(k));
    ASSERT_EQ(again.out_edges().edge_id(k), out.edge_id(k));
  }
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    ASSERT_EQ(g.in_degrees()[static_cast<std::size_t>(v)], in.degree(v));
    ASSERT_EQ(g.out_degrees()[static_cast<std::size_t>(v)], out.degree(v));
  }
  ASSERT_EQ(again.edge_identity(), g.edge_identity());
}

/// Pearson's statistic over its degrees of freedom, as multiples of their standard deviation above the mean: below 5
/// for all but one in a million of samples that are what is expected.
inline double chi_square_excess(const std::vector<double>& counts, const std::vector<double>& expected) {
  double sum = 0, cells = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (expected[i] == 0) {
      EXPECT_EQ(counts[i], 0);
      continue;
    }
    sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
    cells += 1;
  }
  return (sum - (cells - 1)) / std::sqrt(2 * (cells - 1));
}

}  // namespace stg::test
