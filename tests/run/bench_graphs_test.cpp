// test: draft runtime
// The graphs that figures are measured on: their sizes, that they are symmetric, and that they never change.
#include <bench/graphs.hpp>

#include <stg/base/error.hpp>  // error

#include <algorithm>  // binary_search, is_sorted, max_element

#include <gtest/gtest.h>

namespace {

std::span<const std::int32_t> row_of(const stg::adjacency& rows, std::int64_t v, std::vector<std::int32_t>& memory) {
  memory.clear();
  for (auto k = rows.begin(v); k != rows.end(v); ++k) memory.push_back(rows.neighbour(k));
  return memory;
}

/// FNV-1a over the neighbours, row by row.
std::uint64_t checksum(const stg::graph& g) {
  std::uint64_t sum = 14695981039346656037u;
  const stg::adjacency rows = g.in_edges();
  for (std::int64_t v = 0; v < rows.rows(); ++v)
    for (auto k = rows.begin(v); k != rows.end(v); ++k)
      sum = (sum ^ static_cast<std::uint32_t>(rows.neighbour(k))) * 1099511628211u;
  return sum;
}

/// Rows that ascend strictly hold no edge twice; in- and out-rows alike make a graph symmetric.
void expect_symmetric_with_loops(const stg::graph& g) {
  std::vector<std::int32_t> in, out;
  for (std::int64_t v = 0; v < g.vertices(); ++v) {
    const auto row = row_of(g.in_edges(), v, in);
    ASSERT_TRUE(std::is_sorted(row.begin(), row.end(), std::less_equal<>()) || row.size() < 2) << "row " << v;
    ASSERT_TRUE(std::binary_search(row.begin(), row.end(), static_cast<std::int32_t>(v))) << "no loop at " << v;
    row_of(g.out_edges(), v, out);
    ASSERT_EQ(in, out) << "row " << v;
  }
}

std::int32_t largest_degree(const stg::graph& g) {
  return *std::max_element(g.in_degrees().begin(), g.in_degrees().end());
}

TEST(bench_graphs, arxiv_like) {
  const stg::graph g = graphs::arxiv_like();
  EXPECT_EQ(g.vertices(), 169343);
  EXPECT_EQ(g.edges(), 2484941);
  expect_symmetric_with_loops(g);
  EXPECT_EQ(largest_degree(g), 6296);
  EXPECT_EQ(checksum(g), 3174365471891301455u);
}

TEST(bench_graphs, reddit_like) {
  const stg::graph g = graphs::reddit_like();
  EXPECT_EQ(g.vertices(), 50000);
  EXPECT_EQ(g.edges(), 5050000);
  expect_symmetric_with_loops(g);
  EXPECT_EQ(largest_degree(g), 9475);
  EXPECT_EQ(checksum(g), 10731627897518375917u);
}

TEST(bench_graphs, edges_that_do_not_fit) {
  EXPECT_THROW(graphs::make({.vertices = 4, .edges = 4}), stg::error);
  EXPECT_EQ(graphs::make({.vertices = 5, .edges = 5, .uniform = 5}).edges(), 15);
}

TEST(bench_graphs, a_missing_data_set_is_reported) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(graphs::dataset("no_such_data_set"));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("NOT MEASURED: the data set 'no_such_data_set'"), std::string::npos) << said;
  EXPECT_THROW(graphs::named("no_such_graph"), stg::error);
}

}  // namespace
