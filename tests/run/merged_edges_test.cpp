// test: draft runtime
// Values of edges that are merged, and graphs of rows in order.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/merged_edges.hpp>  // coalesce, to_undirected

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

using test::expect_error;

template <class T> std::vector<T> in_list_order(const graph_with_values<T>& merged_graph) {
  const tensor<T> values = merged_graph.graph.to_input_order(merged_graph.values);
  return std::vector<T>(values.begin(), values.end());
}

TEST(merged_edges, have_the_sum_mean_largest_or_first_value) {
  const auto g = graph::from_edges(3, {2, 0, 0, 0, 1}, {1, 1, 2, 1, 1});  // 0 → 1 twice, and a loop
  const auto w = g.edge_values(tensor<float>::from({5}, {8, 1, 2, 4, 16}));
  const auto sums = coalesce(g, w);
  EXPECT_EQ(sums.graph.edge_list(), (edge_list{{0, 0, 1, 2}, {1, 2, 1, 1}}));
  EXPECT_EQ(in_list_order(sums), (std::vector<float>{5, 2, 16, 8}));
  EXPECT_EQ(in_list_order(coalesce(g, w, merged::mean)), (std::vector<float>{2.5, 2, 16, 8}));
  EXPECT_EQ(in_list_order(coalesce(g, w, merged::max)), (std::vector<float>{4, 2, 16, 8}));
  EXPECT_EQ(in_list_order(coalesce(g, w, merged::first)), (std::vector<float>{1, 2, 16, 8}));
  const auto counts = g.edge_values(tensor<std::int64_t>::from({5, 1}, {1, 2, 3, 3, 5}));
  EXPECT_EQ(in_list_order(coalesce(g, counts, merged::mean)), (std::vector<std::int64_t>{2, 3, 5, 1}));
}

TEST(merged_edges, of_both_directions_are_one_as_in_pyg) {
  const auto g = graph::from_edges(3, {0, 1, 1, 2}, {1, 0, 2, 2});
  const auto w = g.edge_values(tensor<float>::from({4, 2}, {1, 10, 2, 20, 4, 40, 8, 80}));
  const auto sums = to_undirected(g, w);
  EXPECT_EQ(sums.graph.edge_list(), (edge_list{{0, 1, 1, 2, 2}, {1, 0, 2, 1, 2}}));
  EXPECT_EQ(in_list_order(sums), (std::vector<float>{3, 30, 3, 30, 4, 40, 4, 40, 16, 160}));
  EXPECT_EQ(in_list_order(to_undirected(g, w, merged::first)), (std::vector<float>{1, 10, 2, 20, 4, 40, 4, 40, 8, 80}));
  const graph none;
  EXPECT_EQ(to_undirected(none, none.edge_values(tensor<float>({0}))).graph.edges(), 0);
  const auto other = graph::from_edges(3, {0, 1, 1, 0}, {1, 0, 2, 2});
  expect_error([&] { coalesce(other, w); }, {"values are those of another graph"});
}

TEST(compressed_rows, are_a_graph) {
  const std::vector<std::int64_t> offsets = {0, 2, 2, 3};
  const std::vector<std::int32_t> neighbours = {1, 2, 0};
  const auto g = graph::from_csr(offsets, neighbours);
  EXPECT_EQ(g.edge_list(), (edge_list{{0, 0, 2}, {1, 2, 0}}));
  EXPECT_EQ(g.vertices(), 3);
  const auto refused = [](std::vector<std::int64_t> from, std::vector<std::int64_t> to,
                          std::initializer_list<std::string_view> parts) {
    expect_error([&] { graph::from_csr(from, to); }, parts);
  };
  refused({}, {}, {"rows have no offsets"});
  refused({1, 1}, {}, {"row offset 0 is 1; it must ascend from 0"});
  refused({0, 2, 1}, {0, 1}, {"row offset 2 is 1"});
  refused({0, 3}, {0, 0}, {"row offset 1 is 3; it must ascend from 0 to the number of edges, 2"});
  refused({0, 2, 2}, {1, 0}, {"graph row 0 has neighbour 0 behind 1; sort each row"});
  refused({0, 1}, {1}, {"graph edge 0 has destination 1; it must be in [0, 1)"});
}

}  // namespace
}  // namespace stg
