// test: draft sampling, proof sanitized readers
// Pairs that are no edges: any of them, as often as any other.
#include "../expect_error.hpp"  // expect_error
#include "support.hpp"          // drawn_graph, chi_square_excess

#include <stg/runtime/graphs.hpp>           // graphs
#include <stg/sampling/negative_edges.hpp>  // negative_edges, negative_destinations

#include <set>      // set
#include <utility>  // pair
#include <vector>   // vector

namespace stg {
namespace {

using test::chi_square_excess, test::drawn_graph, test::expect_error;

std::vector<double> counts_of(const edge_list& pairs, std::int64_t n) {
  std::vector<double> counts(static_cast<std::size_t>(n * n), 0);
  for (std::size_t i = 0; i < pairs.src.size(); ++i)
    counts[static_cast<std::size_t>(pairs.src[i] * n + pairs.dst[i])] += 1;
  return counts;
}

/// How often each pair is expected among `count`, of those that a rule allows.
template <class Rule> std::vector<double> expected_of(std::int64_t n, double count, const Rule& allows) {
  std::vector<double> expected;
  double pairs = 0;
  for (std::int64_t p = 0; p < n * n; ++p) {
    expected.push_back(allows(p / n, p % n) ? 1 : 0);
    pairs += expected.back();
  }
  for (double& e : expected) e *= count / pairs;
  return expected;
}

TEST(negative_edges, are_any_pairs_but_edges) {
  const graph g = drawn_graph(12, 60, 3);
  const edge_list list = g.edge_list();
  std::set<std::pair<std::int64_t, std::int64_t>> edges;
  for (std::size_t e = 0; e < list.src.size(); ++e) edges.emplace(list.src[e], list.dst[e]);
  constexpr std::int64_t count = 40000;
  for (const bool existing : {false, true})
    for (const bool loops : {false, true}) {
      const auto drawn = negative_edges(g, count, 5, {.existing = existing, .loops = loops});
      const auto expected = expected_of(12, count, [&](std::int64_t u, std::int64_t v) {
        return (loops || u != v) && (existing || !edges.count({u, v}));
      });
      EXPECT_LT(chi_square_excess(counts_of(drawn, 12), expected), 5) << existing << loops;
      EXPECT_EQ(drawn, negative_edges(g, count, 5, {.existing = existing, .loops = loops}));
    }
  EXPECT_NE(negative_edges(g, 10, 5), negative_edges(g, 10, 6));
}

/// All pairs of n vertices, parallel ones among them, but for 3 → 7, 3 → 0 and 5 → 5.
graph nearly_complete(std::int64_t n) {
  std::vector<std::int64_t> src, dst;
  for (std::int64_t u = 0; u < n; ++u)
    for (std::int64_t v = 0; v < n; ++v)
      for (int k = 0; k < 2 && !(u == 3 && (v == 7 || v == 0)) && !(u == 5 && v == 5); ++k)
        src.push_back(u), dst.push_back(v);
  return graph::from_edges(n, src, dst);
}

TEST(negative_edges, are_found_where_there_are_few) {
  const graph g = nearly_complete(40);
  const auto counts = counts_of(negative_edges(g, 3000, 1, {.loops = true}), 40);
  const auto expected = expected_of(
      40, 3000, [](std::int64_t u, std::int64_t v) { return (u == 3 && (v == 7 || v == 0)) || (u == 5 && v == 5); });
  EXPECT_LT(chi_square_excess(counts, expected), 5);
  const auto few = negative_destinations(g, std::vector<std::int32_t>{3, 3}, 1000, 1);
  double of_7 = 0;
  for (const std::int32_t v : few) {
    EXPECT_TRUE(v == 7 || v == 0);
    of_7 += v == 7;
  }
  EXPECT_NEAR(of_7, 1000, 120);
}

TEST(negative_destinations, belong_to_their_sources) {
  const graph g = drawn_graph(50, 700, 3);
  const std::vector<std::int32_t> sources = {4, 4, 0, 49};
  const auto drawn = negative_destinations(g, sources, 30, 9);
  ASSERT_EQ(drawn.size(), 120u);
  const adjacency out = g.out_edges();
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const std::int32_t u = sources[i / 30];
    EXPECT_NE(u, drawn[i]);
    for (auto k = out.begin(u); k < out.end(u); ++k) EXPECT_NE(out.neighbour(k), drawn[i]);
  }
}

/// Pairs that are none of a relation's edges: any of both sets, whichever is larger.
TEST(negative_edges, of_a_relation_go_from_its_source_set_to_its_destination_set) {
  for (const bool narrow : {false, true}) {
    const std::int64_t sources = narrow ? 3 : 50, destinations = narrow ? 50 : 3;
    graphs g;
    g.add_vertices("author", sources).add_vertices("paper", destinations);
    std::set<std::pair<std::int64_t, std::int64_t>> there;
    std::vector<std::int64_t> src, dst;
    for (std::int64_t e = 0; e < 100; ++e) {
      src.push_back(e * 7 % sources), dst.push_back(e * e % destinations);
      there.emplace(src.back(), dst.back());
    }
    g.add_edges("writes", "author", "paper", src, dst);
    const edge_list drawn = negative_edges(g.relation("writes"), 4000, 3);
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    for (std::size_t i = 0; i < drawn.src.size(); ++i) seen.emplace(drawn.src[i], drawn.dst[i]);
    for (const auto& p : seen) {
      EXPECT_EQ(there.count(p), 0u);
      EXPECT_LT(p.first, sources);
      EXPECT_LT(p.second, destinations);
    }
    EXPECT_EQ(std::ssize(seen), sources * destinations - std::ssize(there));  // every one, those of one number as well
    expect_error([&] { negative_destinations(g.relation("writes"), std::vector<std::int32_t>{50}, 1, 1); },
                 {"source 0 is vertex 50", "[0, " + std::to_string(sources) + ")"});
  }
  graphs full;
  full.add_vertices("author", 2)
      .add_vertices("paper", 1)
      .add_edges("writes", "author", "paper", std::vector<std::int64_t>{0, 1}, std::vector<std::int64_t>{0, 0});
  expect_error([&] { negative_edges(full.relation("writes"), 1, 1); }, {"2 sources and 1 destinations"});
  expect_error([&] { negative_destinations(full.relation("writes"), std::vector<std::int32_t>{1}, 1, 1); },
               {"vertex 1, source 0"});
}

TEST(negative_edges, says_what_is_wrong) {
  const graph all = nearly_complete(8);
  expect_error(
      [&] {
        negative_destinations(all, std::vector<std::int32_t>{3, 5}, 1, 1);
      },
      {"vertex 5, source 1", "leave it out"});
  expect_error([&] { negative_destinations(all, std::vector<std::int32_t>{8}, 1, 1); },
               {"source 0 is vertex 8", "[0, 8)"});
  expect_error([&] { negative_edges(graph(), 1, 1); }, {"0 vertices"});
  expect_error([&] { negative_edges(graph::from_edges(2, {0, 1}, {1, 0}), 1, 1); }, {"all pairs", "2 vertices"});
  expect_error([&] { negative_edges(all, -1, 1); }, {"-1 pairs"});
  EXPECT_TRUE(negative_edges(graph(), 0, 1).src.empty());
}

}  // namespace
}  // namespace stg
