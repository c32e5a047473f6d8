// test: draft runtime, sanitized memory
// Graphs against a naive construction on random edge lists, and the sentences of bad edges.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/graph.hpp>       // graph
#include <stg/runtime/parallel.hpp>    // set_threads
#include <stg/runtime/long_rows.hpp>   // long_row_edges_of_device
#include <stg/runtime/row_order.hpp>   // rows_by_degree
#include <stg/runtime/self_loops.hpp>  // remove_self_loops

#include <gmock/gmock.h>  // ElementsAre
#include <gtest/gtest.h>  // TEST

#include <algorithm>  // count_if, stable_sort
#include <list>       // list
#include <numeric>    // iota
#include <random>     // mt19937
#include <set>        // set

namespace stg {
namespace {

using test::expect_error;
using ids = std::vector<std::int64_t>;

graph make(std::int64_t vertices, const ids& src, const ids& dst) {
  return graph::from_edges(vertices, std::span<const std::int64_t>(src), std::span<const std::int64_t>(dst));
}

edge_list random_edges(unsigned seed, int vertices, int edges) {
  std::mt19937 random(seed);
  edge_list list;
  for (int e = 0; e < edges; ++e) {
    list.src.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(vertices)));
    list.dst.push_back(random() % 4 == 0
                           ? list.src.back()  // loops, and few targets for parallel edges
                           : static_cast<std::int32_t>(random() % static_cast<unsigned>((vertices + 1) / 2)));
  }
  return list;
}

graph make(int vertices, const edge_list& list) {
  return graph::from_edges(vertices, std::span<const std::int32_t>(list.src), std::span<const std::int32_t>(list.dst));
}

/// Everything that a graph promises, checked edge by edge against the list.
void check(const graph& g, int vertices, const edge_list& list) {
  const std::size_t edges = list.src.size();
  ASSERT_EQ(g.vertices(), vertices);
  ASSERT_EQ(g.sources(), vertices);
  ASSERT_EQ(g.destinations(), vertices);
  ASSERT_EQ(g.edges(), static_cast<std::int64_t>(edges));
  EXPECT_EQ(g.edge_list(), list);

  std::vector<std::size_t> order(edges);  // edge id to place in the list
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return list.dst[a] < list.dst[b]; });

  const adjacency in = g.in_edges(), out = g.out_edges();
  ASSERT_EQ(in.rows(), vertices);
  ASSERT_EQ(out.rows(), vertices);
  ASSERT_EQ(in.edges(), g.edges());
  EXPECT_TRUE(in.ids_are_positions());
  std::int64_t k = 0;
  for (int v = 0; v < vertices; ++v) {
    ASSERT_EQ(in.begin(v), k);
    for (; k < in.end(v); ++k) {
      const std::size_t at = order[static_cast<std::size_t>(k)];
      EXPECT_EQ(in.edge_id(k), k);
      EXPECT_EQ(in.neighbour(k), list.src[at]);
      EXPECT_EQ(list.dst[at], v);
    }
    EXPECT_EQ(in.degree(v), std::count(list.dst.begin(), list.dst.end(), v));
    EXPECT_EQ(g.in_degrees()[static_cast<std::size_t>(v)], in.degree(v));
  }
  ASSERT_EQ(k, g.edges());

  std::set<std::int64_t> seen;
  k = 0;
  for (int v = 0; v < vertices; ++v) {
    ASSERT_EQ(out.begin(v), k);
    std::int64_t before = -1;
    for (; k < out.end(v); ++k) {
      const std::int64_t id = out.edge_id(k);
      EXPECT_GT(id, before);  // ascending within a row
      before = id;
      seen.insert(id);
      const std::size_t at = order[static_cast<std::size_t>(id)];
      EXPECT_EQ(list.src[at], v);
      EXPECT_EQ(out.neighbour(k), list.dst[at]);
    }
    EXPECT_EQ(out.degree(v), std::count(list.src.begin(), list.src.end(), v));
    EXPECT_EQ(g.out_degrees()[static_cast<std::size_t>(v)], out.degree(v));
  }
  ASSERT_EQ(k, g.edges());
  EXPECT_EQ(seen.size(), edges);

  tensor<std::int32_t> values({g.edges(), 3});
  for (std::int64_t e = 0; e < g.edges(); ++e)
    for (int j = 0; j < 3; ++j) values(e, j) = static_cast<std::int32_t>(10 * e + j);
  const auto in_order = g.edge_values(values);
  for (std::int64_t e = 0; e < g.edges(); ++e)
    EXPECT_EQ(in_order.values()(e, 2), static_cast<std::int32_t>(10 * order[static_cast<std::size_t>(e)] + 2));
  const auto back = g.to_input_order(in_order);
  EXPECT_TRUE(std::equal(back.begin(), back.end(), values.begin()));
}

TEST(graph, random_graphs_equal_a_naive_construction) {
  const int before = threads();
  for (const int n : {1, 2, 4}) {
    set_threads(n);
    for (unsigned seed = 0; seed < 40; ++seed) {
      const int vertices = 1 + static_cast<int>(seed * seed % 97), edges = static_cast<int>(seed * 37 % 1000);
      const edge_list list = random_edges(seed, vertices, edges);
      check(make(vertices, list), vertices, list);
      if (testing::Test::HasFailure()) FAIL() << "seed " << seed << ", threads " << n;
    }
  }
  set_threads(before);
}

TEST(graph, parallel_edges_loops_and_isolated_vertices_are_kept) {
  const graph g = make(5, ids{3, 3, 1, 0}, ids{1, 1, 1, 0});
  EXPECT_EQ(g.edges(), 4);
  EXPECT_EQ(g.in_edges().degree(1), 3);
  EXPECT_EQ(g.in_edges().degree(4), 0);
  EXPECT_EQ(g.in_edges().degree(0), 1);
  EXPECT_EQ(g.in_edges().neighbour(1), 3);  // input order within a destination
  EXPECT_EQ(g.in_edges().neighbour(3), 1);
}

TEST(graph, the_empty_graph_works) {
  for (const graph& g : {graph(), make(0, ids{}, ids{})}) {
    check(g, 0, {});
    EXPECT_EQ(g.add_self_loops().edges(), 0);
    EXPECT_EQ(g.add_remaining_self_loops().edges(), 0);
    EXPECT_EQ(g.to_undirected().edges(), 0);
    EXPECT_EQ(g.coalesce().edges(), 0);
    EXPECT_EQ(g.in_edges().split(1, 3), 0);
  }
  check(make(3, ids{}, ids{}), 3, {});
}

TEST(graph, self_loops_are_appended_by_vertex) {
  const edge_list list{{0, 1, 1}, {1, 1, 2}};
  EXPECT_EQ(make(3, list).add_self_loops().edge_list(), (edge_list{{0, 1, 1, 0, 1, 2}, {1, 1, 2, 0, 1, 2}}));
  EXPECT_EQ(make(3, list).add_remaining_self_loops().edge_list(), (edge_list{{0, 1, 1, 0, 2}, {1, 1, 2, 0, 2}}));
}

TEST(graph, is_made_of_any_integers) {
  const edge_list list{{0, 2}, {1, 1}};
  const std::vector<long long> wide_src{0, 2}, wide_dst{1, 1};
  EXPECT_EQ(graph::from_edges(3, wide_src, wide_dst).edge_list(), list);
  EXPECT_EQ(graph::from_edges(3, {0, 2}, {1, 1}).edge_list(), list);
  EXPECT_EQ(graph::from_edges(3, ids{0, 2}, ids{1, 1}).edge_list(), list);
  EXPECT_EQ(graph::from_edges(3, list.src, list.dst).edge_list(), list);
  EXPECT_EQ(graph::from_edges(3, std::list<unsigned char>{0, 2}, std::vector<std::uint64_t>{1, 1}).edge_list(), list);
  EXPECT_EQ(graph::from_edges(3, list.src, ids{1, 1}).edge_list(), list);
  const auto pairs = tensor<std::int64_t>::from({2, 2}, {0, 2, 1, 1});
  EXPECT_EQ(graph::from_edge_index(3, pairs).edge_list(), list);
  EXPECT_EQ(graph::from_edge_index(3, pairs.to<std::int32_t>()).edge_list(), list);
  EXPECT_EQ(graph::from_edges(3, pairs.row(0), pairs.row(1)).edge_list(), list);
  EXPECT_EQ(graph::from_edge_index(3, tensor<std::int64_t>({2, 0})).edges(), 0);
  expect_error(
      [&] {
        graph::from_edge_index(3, tensor<std::int64_t>({3, 2}));
      },
      {"graph edge_index of shape (3, 2); give (2, edges)"});
  expect_error([] { graph::from_edges(3, std::vector<std::uint64_t>{UINT64_MAX}, ids{0}); }, {"edge 0", "[0, 3)"});
  expect_error([] { graph::from_edges(3, {0, 1}, {1}); }, {"2 sources", "1 destinations"});
}

TEST(graph, values_follow_loops) {
  const graph g = make(3, ids{1, 0, 2, 1}, ids{1, 2, 0, 0});  // one loop
  const auto w = g.edge_values(tensor<float>::from({4, 2}, {1, 10, 2, 20, 3, 30, 4, 40}));
  const auto expect = [](const auto& made, const edge_list& edges, std::initializer_list<float> values) {
    EXPECT_EQ(made.graph.edge_list(), edges);
    EXPECT_EQ(made.values.edge_identity(), made.graph.edge_identity());
    const auto in_turn = made.graph.to_input_order(made.values);
    EXPECT_TRUE(std::equal(in_turn.begin(), in_turn.end(), values.begin(), values.end()));
  };
  expect(remove_self_loops(g, w), {{0, 2, 1}, {2, 0, 0}}, {2, 20, 3, 30, 4, 40});
  expect(add_remaining_self_loops(g, w, 5.0f), {{1, 0, 2, 1, 0, 2}, {1, 2, 0, 0, 0, 2}},
         {1, 10, 2, 20, 3, 30, 4, 40, 5, 5, 5, 5});
  expect(add_self_loops(g, w, 5.0f), {{1, 0, 2, 1, 0, 1, 2}, {1, 2, 0, 0, 0, 1, 2}},
         {1, 10, 2, 20, 3, 30, 4, 40, 5, 5, 5, 5, 5, 5});
  const graph loops = make(2, ids{0, 1}, ids{0, 1});
  expect(remove_self_loops(loops, loops.edge_values(tensor<float>({2}))), {}, {});
  EXPECT_EQ(loops.remove_self_loops().vertices(), 2);
  expect_error([&] { remove_self_loops(make(3, ids{1, 0, 2, 1}, ids{1, 2, 0, 1}), w); }, {"of another graph"});
}

TEST(graph, derived_graphs_equal_a_naive_construction) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    const int vertices = 1 + static_cast<int>(seed), edges = static_cast<int>(seed * 11 % 200);
    const edge_list list = random_edges(seed, vertices, edges);
    std::set<std::pair<int, int>> once, both;
    for (std::size_t e = 0; e < list.src.size(); ++e) {
      once.emplace(list.src[e], list.dst[e]);
      both.emplace(list.src[e], list.dst[e]);
      both.emplace(list.dst[e], list.src[e]);
    }
    const auto as_list = [](const auto& pairs) {
      edge_list l;
      for (const auto& [s, d] : pairs) {
        l.src.push_back(s);
        l.dst.push_back(d);
      }
      return l;
    };
    check(make(vertices, list).coalesce(), vertices, as_list(once));
    check(make(vertices, list).to_undirected(), vertices, as_list(both));

    edge_list loops = list, missing = list;
    for (int v = 0; v < vertices; ++v) {
      loops.src.push_back(v);
      loops.dst.push_back(v);
      if (once.count({v, v})) continue;
      missing.src.push_back(v);
      missing.dst.push_back(v);
    }
    check(make(vertices, list).add_self_loops(), vertices, loops);
    check(make(vertices, list).add_remaining_self_loops(), vertices, missing);
    if (testing::Test::HasFailure()) FAIL() << "seed " << seed;
  }
}

TEST(graph, rows_are_split_by_work) {
  const edge_list list = random_edges(5, 300, 4000);
  const graph g = make(300, list);
  for (const adjacency& rows : {g.in_edges(), g.out_edges()}) {
    for (const int parts : {1, 2, 3, 7, 64, 1000}) {
      EXPECT_EQ(rows.split(0, parts), 0);
      EXPECT_EQ(rows.split(parts, parts), rows.rows());
      std::int64_t largest = 0;
      for (int v = 0; v < 300; ++v) largest = std::max(largest, rows.degree(v) + 1);
      for (int part = 0; part < parts; ++part) {
        const std::int64_t begin = rows.split(part, parts), end = rows.split(part + 1, parts);
        ASSERT_LE(begin, end);
        const std::int64_t work = end - begin + (end == begin ? 0 : rows.end(end - 1) - rows.begin(begin));
        EXPECT_LE(work, (g.edges() + 300) / parts + 1 + largest);
      }
    }
  }
}

TEST(long_rows, have_parts_by_how_many_edges_a_gpu_has_for_each_group) {
  EXPECT_EQ(long_row_edges_of_device(0), 64);
  EXPECT_EQ(long_row_edges_of_device(3'350'000), 128);    // 204 for each of 16,384 groups
  EXPECT_EQ(long_row_edges_of_device(20'000'000), 1024);  // 1220
  EXPECT_EQ(long_row_edges_of_device(std::int64_t{1} << 40), 2048);
}

TEST(graph, rows_are_ordered_by_the_power_of_two_below_their_degree) {
  const graph g = make(5, ids{0, 1, 2, 0, 1, 0, 1, 2, 3, 4, 0, 1}, ids{0, 0, 0, 2, 2, 3, 3, 3, 3, 3, 3, 3});
  EXPECT_THAT(rows_by_degree(g.in_edges()), ::testing::ElementsAre(3, 0, 2, 1, 4));  // of 7, 3, 2, 0 and 0 edges
  EXPECT_EQ(g.in_edges().row_at(2), 2);
  const std::vector<std::int32_t> order = rows_by_degree(g.in_edges());
  EXPECT_EQ(g.in_edges().with_row_order(order.data()).row_at(0), 3);
}

TEST(graph, copies_share_their_rows) {
  const graph g = make(2, ids{0}, ids{1});
  const graph copy = g;  // NOLINT: the copy is what is tested
  EXPECT_EQ(copy.in_degrees().data(), g.in_degrees().data());
}

TEST(graph, bad_edges_are_named) {
  expect_error([] { make(3, ids{0, 1}, ids{1, 3}); }, {"edge 1", "destination 3", "[0, 3)"});
  expect_error([] { make(3, ids{0, -1}, ids{1, 2}); }, {"edge 1", "source -1", "[0, 3)"});
  expect_error([] { make(3, ids{std::int64_t{1} << 32}, ids{0}); }, {"edge 0", "source 4294967296"});
  expect_error([] { make(3, ids{0, 1}, ids{1}); }, {"2 sources", "1 destinations"});
  expect_error([] { make(-1, ids{}, ids{}); }, {"-1 vertices"});
  expect_error([] { make(std::int64_t{1} << 31, ids{}, ids{}); }, {"2147483648 vertices", "2147483647"});
  expect_error([] { make(0, ids{0}, ids{0}); }, {"edge 0", "[0, 0)"});
}

TEST(graph, edge_values_are_counted) {
  const graph g = make(3, ids{0, 1}, ids{1, 2});
  expect_error([&] { (void)g.edge_values(tensor<float>({3, 1})); }, {"(3, 1)", "2 edges"});
  expect_error([&] { (void)g.edge_values(tensor<float>(dimensions{})); }, {"()", "2 edges"});
  expect_error([&] { (void)g.to_input_order(edge_values<float>()); }, {"(0,)", "2 edges"});
  EXPECT_EQ(g.edge_values(tensor<float>({2, 0})).values().size(), 0);
}

TEST(graph, edges_have_an_identity) {
  const graph g = make(4, ids{0, 1, 3}, ids{1, 2, 2});
  EXPECT_NE(g.edge_identity(), edge_identity::unknown);
  EXPECT_EQ(g.edge_identity(), graph(g).edge_identity());
  EXPECT_EQ(g.edge_identity(), make(4, ids{0, 1, 3}, ids{1, 2, 2}).edge_identity()) << "made anew";
  EXPECT_EQ(g.edge_identity(), make(4, ids{1, 0, 3}, ids{2, 1, 2}).edge_identity()) << "the same order of ids";
  EXPECT_NE(g.edge_identity(), make(4, ids{0, 3, 1}, ids{1, 2, 2}).edge_identity()) << "another order of ids";
  EXPECT_NE(g.edge_identity(), make(5, ids{0, 1, 3}, ids{1, 2, 2}).edge_identity()) << "one vertex more";
  EXPECT_NE(g.edge_identity(), make(4, ids{0, 1, 0}, ids{1, 2, 2}).edge_identity()) << "another source";
  EXPECT_NE(g.edge_identity(), make(4, ids{0, 1, 3}, ids{1, 2, 3}).edge_identity()) << "another destination";
  EXPECT_NE(graph().edge_identity(), edge_identity::unknown);
  const auto values = g.edge_values(tensor<float>::from({3}, {1, 2, 3}));
  EXPECT_EQ(values.edge_identity(), g.edge_identity());
  expect_error(
      [&] {
        (void)make(4, ids{0, 3, 1}, ids{1, 2, 2}).to_input_order(values);
      },
      {"edge values are those of another graph; give values that graph.edge_values made, or a call gave"});
  EXPECT_EQ(make(4, ids{1, 0, 3}, ids{2, 1, 2}).to_input_order(values)(0), 2) << "in the order of its own list";
}

}  // namespace
}  // namespace stg
