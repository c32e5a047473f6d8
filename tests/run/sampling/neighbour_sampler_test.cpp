// test: draft sampling, proof sanitized readers
// Neighbours by fan-out: what is taken, how often, and that it depends on nothing but seeds and number.
#include "../expect_error.hpp"  // expect_error
#include "support.hpp"          // drawn_graph, expect_sound, chi_square_excess

#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler

#include <algorithm>  // count, sort
#include <cmath>      // sqrt
#include <set>        // set
#include <thread>     // thread

namespace stg {
namespace {

using test::chi_square_excess, test::drawn_graph, test::expect_error, test::expect_sound;

std::vector<std::int32_t> ids(std::initializer_list<std::int32_t> list) { return list; }

bool equal(const batch& a, const batch& b) {
  return a.vertices == b.vertices && a.edges == b.edges && a.vertex_offsets == b.vertex_offsets &&
         a.edge_offsets == b.edge_offsets && a.edge_weights == b.edge_weights && a.roots == b.roots &&
         a.graph.edge_identity() == b.graph.edge_identity();
}

/// A star: edges from 1, …, leaves into vertex 0.
graph star(std::int64_t leaves) {
  std::vector<std::int64_t> src, dst(static_cast<std::size_t>(leaves), 0);
  for (std::int64_t k = 1; k <= leaves; ++k) src.push_back(k);
  return graph::from_edges(leaves + 1, src, dst);
}

TEST(neighbour_sampler, takes_as_many_edges_as_the_fan_out_says) {
  const graph g = drawn_graph(300, 3000, 1);
  const neighbour_sampler sampler(g, {.fan_outs = {7, 3}});
  const auto seeds = ids({4, 290, 17, 0, 100});
  const batch b = sampler.sample(seeds, 5);
  expect_sound(b, g);
  EXPECT_EQ(b.seeds, 5);
  EXPECT_EQ(b.hops(), 2);
  EXPECT_TRUE(std::equal(seeds.begin(), seeds.end(), b.vertices.begin()));
  EXPECT_EQ(std::set<std::int32_t>(b.vertices.begin(), b.vertices.end()).size(), b.vertices.size());
  EXPECT_EQ(std::set<std::int64_t>(b.edges.begin(), b.edges.end()).size(), b.edges.size());
  for (std::int64_t v = 0; v < b.graph.vertices(); ++v) {
    const std::int64_t hop = v < b.vertex_offsets[1] ? 0 : v < b.vertex_offsets[2] ? 1 : 2;
    const std::int64_t most = hop == 0 ? 7 : hop == 1 ? 3 : 0;
    EXPECT_EQ(b.graph.in_edges().degree(v),
              std::min(most, g.in_edges().degree(b.vertices[static_cast<std::size_t>(v)])));
    // Edges of a hop are the rows of the vertices that the one before it reached.
    if (hop < 2) {
      EXPECT_GE(b.graph.in_edges().begin(v), b.edge_offsets[static_cast<std::size_t>(hop)]);
      EXPECT_LE(b.graph.in_edges().end(v), b.edge_offsets[static_cast<std::size_t>(hop + 1)]);
    }
  }
}

TEST(neighbour_sampler, with_all_neighbours_has_the_rows_of_the_large_graph) {
  const graph g = drawn_graph(200, 1500, 2);
  const batch b = neighbour_sampler(g, {.fan_outs = {all_neighbours, all_neighbours}}).sample(ids({9, 3}), 1);
  expect_sound(b, g);
  for (std::int64_t v = 0; v < b.vertex_offsets[2]; ++v) {
    const std::int64_t of = b.vertices[static_cast<std::size_t>(v)];
    ASSERT_EQ(b.graph.in_edges().degree(v), g.in_edges().degree(of));
    for (std::int64_t i = 0; i < g.in_edges().degree(of); ++i)
      EXPECT_EQ(b.edges[static_cast<std::size_t>(b.graph.in_edges().begin(v) + i)], g.in_edges().begin(of) + i);
  }
}

TEST(neighbour_sampler, gives_one_batch_for_seeds_and_number_in_every_thread_and_memory) {
  const graph g = drawn_graph(500, 8000, 3);
  const neighbour_sampler sampler(g, {.fan_outs = {10, 10}});
  const auto seeds = ids({1, 2, 3, 400, 499});
  const batch first = sampler.sample(seeds, 77);
  batch other, used = sampler.sample(ids({7, 8, 9}), 1);
  std::thread thread([&] { sampler.sample_into(other, seeds, 77); });
  sampler.sample_into(used, seeds, 77);
  thread.join();
  EXPECT_TRUE(equal(first, other));
  EXPECT_TRUE(equal(first, used));
  EXPECT_FALSE(equal(first, sampler.sample(seeds, 78)));
  expect_sound(used, g);
}

TEST(neighbour_sampler, draws_for_a_vertex_whatever_comes_before_it) {
  const graph g = drawn_graph(500, 20000, 3);
  const neighbour_sampler sampler(g, {.fan_outs = {6}});
  const batch one = sampler.sample(ids({250}), 9), many = sampler.sample(ids({1, 2, 250}), 9);
  const std::int64_t begin = many.graph.in_edges().begin(2);
  for (std::int64_t k = 0; k < one.graph.edges(); ++k)
    EXPECT_EQ(one.edges[static_cast<std::size_t>(k)], many.edges[static_cast<std::size_t>(begin + k)]);
  EXPECT_EQ(one.graph.edges(), many.graph.in_edges().degree(2));
}

/// How often each edge of a star is taken in `rounds` batches.
std::vector<double> counts_of(const neighbour_sampler& sampler, std::int64_t edges, int rounds) {
  std::vector<double> counts(static_cast<std::size_t>(edges), 0);
  batch b;
  const auto seeds = ids({0});
  for (int round = 0; round < rounds; ++round) {
    sampler.sample_into(b, seeds, static_cast<std::uint64_t>(round));
    for (const std::int64_t e : b.edges) counts[static_cast<std::size_t>(e)] += 1;
  }
  return counts;
}

TEST(neighbour_sampler, takes_every_edge_as_often_as_any_other) {
  constexpr int rounds = 20000;
  for (const std::int64_t leaves : {5, 20, 64, 65, 300})
    for (const std::int64_t k : {1, 3, 15, 60}) {
      if (k >= leaves) continue;
      const auto counts = counts_of(neighbour_sampler(star(leaves), {.fan_outs = {k}}), leaves, rounds);
      const std::vector<double> expected(counts.size(), static_cast<double>(rounds * k) / static_cast<double>(leaves));
      EXPECT_LT(chi_square_excess(counts, expected), 5) << leaves << ' ' << k;
      const auto again =
          counts_of(neighbour_sampler(star(leaves), {.fan_outs = {k}, .with_replacement = true}), leaves, rounds);
      EXPECT_LT(chi_square_excess(again, expected), 5) << leaves << ' ' << k << " with replacement";
    }
}

TEST(neighbour_sampler, takes_every_set_as_often_as_any_other) {
  constexpr int rounds = 40000;
  for (const std::int64_t k : {2, 4}) {  // 15 sets of 6 edges each; of the second, what is left out is drawn
    const neighbour_sampler sampler(star(6), {.fan_outs = {k}});
    std::map<std::vector<std::int64_t>, double> sets;
    for (int round = 0; round < rounds; ++round)
      sets[sampler.sample(ids({0}), static_cast<std::uint64_t>(round)).edges] += 1;
    ASSERT_EQ(sets.size(), 15u);
    std::vector<double> counts;
    for (const auto& [set, count] : sets) counts.push_back(count);
    EXPECT_LT(chi_square_excess(counts, std::vector<double>(15, rounds / 15.0)), 5);
  }
}

edge_values<float> star_weights(const graph& g) {
  tensor<float> w({g.edges()});
  for (std::int64_t e = 0; e < g.edges(); ++e) w(e) = static_cast<float>(e % 4);  // a quarter is 0
  return g.edge_values(w);
}

TEST(neighbour_sampler, draws_by_weight) {
  constexpr int rounds = 40000;
  const graph g = star(8);  // weights 0 1 2 3 0 1 2 3
  const std::vector<double> weights = {0, 1, 2, 3, 0, 1, 2, 3};
  std::vector<double> expected(8);
  for (std::size_t e = 0; e < 8; ++e) expected[e] = 3 * rounds * weights[e] / 12;
  const auto again =
      counts_of(neighbour_sampler(g, {.fan_outs = {3}, .with_replacement = true}, star_weights(g)), 8, rounds);
  EXPECT_LT(chi_square_excess(again, expected), 5);

  // Without replacement: the first draw in proportion to the weights, the second to those that are left.
  for (std::size_t e = 0; e < 8; ++e) {
    double p = weights[e] / 12;
    for (std::size_t f = 0; f < 8; ++f)
      if (f != e) p += weights[f] / 12 * weights[e] / (12 - weights[f]);
    expected[e] = rounds * p;
  }
  const auto counts = counts_of(neighbour_sampler(g, {.fan_outs = {2}}, star_weights(g)), 8, rounds);
  EXPECT_LT(chi_square_excess(counts, expected), 5);
}

TEST(neighbour_sampler, takes_no_edge_of_weight_0) {
  const graph g = star(8);
  const batch b = neighbour_sampler(g, {.fan_outs = {all_neighbours}}, star_weights(g)).sample(ids({0}), 1);
  EXPECT_EQ(b.edges, (std::vector<std::int64_t>{1, 2, 3, 5, 6, 7}));
  const auto none = g.edge_values(tensor<float>({8}));
  EXPECT_EQ(neighbour_sampler(g, {.fan_outs = {3}}, none).sample(ids({0}), 1).graph.edges(), 0);
  EXPECT_EQ(neighbour_sampler(g, {.fan_outs = {3}, .with_replacement = true}, none).sample(ids({0}), 1).graph.edges(),
            0);
}

TEST(neighbour_sampler, leaves_edges_out) {
  constexpr int rounds = 20000;
  const std::vector<std::int64_t> out = {9, 0, 4, 4, 5};
  const std::vector<double> weights(10, 1.0);
  const graph g = star(10);
  const auto ones = g.edge_values(tensor<float>::full({10}, 1.0f));
  const neighbour_sampler samplers[] = {neighbour_sampler(g, {.fan_outs = {3}}),
                                        neighbour_sampler(g, {.fan_outs = {3}, .with_replacement = true}),
                                        neighbour_sampler(g, {.fan_outs = {3}}, ones),
                                        neighbour_sampler(g, {.fan_outs = {3}, .with_replacement = true}, ones)};
  for (const auto& sampler : samplers) {
    std::vector<double> counts(10, 0), expected(10, rounds * 3 / 6.0);
    for (const std::int64_t e : out) expected[static_cast<std::size_t>(e)] = 0;
    batch b;
    for (int round = 0; round < rounds; ++round) {
      sampler.sample_without(b, ids({0}), static_cast<std::uint64_t>(round), out);
      for (const std::int64_t e : b.edges) counts[static_cast<std::size_t>(e)] += 1;
    }
    EXPECT_LT(chi_square_excess(counts, expected), 5);
  }
  batch b;
  neighbour_sampler(g, {.fan_outs = {all_neighbours}}).sample_without(b, ids({0}), 1, out);
  EXPECT_EQ(b.edges, (std::vector<std::int64_t>{1, 2, 3, 6, 7, 8}));
  EXPECT_EQ(samplers[0].sample(ids({0}), 3).graph.edges(), 3);  // and only where it is asked for
}

TEST(neighbour_sampler, takes_graphs_of_nothing) {
  const batch b = neighbour_sampler(graph(), {.fan_outs = {3}}).sample({}, 1);
  EXPECT_EQ(b.graph.vertices(), 0);
  const batch alone = neighbour_sampler(star(3), {.fan_outs = {}}).sample(ids({2, 1}), 1);
  EXPECT_EQ(alone.graph.vertices(), 2);
  EXPECT_EQ(alone.graph.edges(), 0);
  const batch leaf = neighbour_sampler(star(3), {.fan_outs = {0, 4}, .with_replacement = true}).sample(ids({0, 1}), 1);
  EXPECT_EQ(leaf.graph.edges(), 0);
  expect_sound(leaf, star(3));
}

TEST(neighbour_sampler, keeps_graphs_that_others_hold) {
  const graph g = drawn_graph(100, 2000, 4);
  const neighbour_sampler sampler(g, {.fan_outs = {5}});
  batch b = sampler.sample(ids({1, 2}), 1);
  const graph held = b.graph;
  const auto identity = held.edge_identity();
  const std::int64_t edges = held.edges();
  const std::int32_t* const memory = held.in_edges().neighbours();
  sampler.sample_into(b, ids({3, 4, 5}), 2);
  EXPECT_EQ(held.edges(), edges);
  EXPECT_NE(b.graph.in_edges().neighbours(), memory);
  const std::int32_t* const now = b.graph.in_edges().neighbours();
  sampler.sample_into(b, ids({6, 7}), 2);
  EXPECT_EQ(b.graph.in_edges().neighbours(), now);
  EXPECT_EQ(graph::from_edges(held.vertices(), held.edge_list().src, held.edge_list().dst).edge_identity(), identity);
}

TEST(neighbour_sampler, says_what_is_wrong) {
  const graph g = drawn_graph(10, 50, 4);
  const neighbour_sampler sampler(g, {.fan_outs = {5}});
  expect_error([&] { sampler.sample(ids({1, 10}), 1); }, {"seed 1 is vertex 10", "[0, 10)"});
  expect_error([&] { sampler.sample(ids({-1}), 1); }, {"seed 0 is vertex -1"});
  expect_error([&] { sampler.sample(ids({4, 2, 4}), 1); }, {"seeds 0 and 2 are both vertex 4"});
  expect_error([&] { neighbour_sampler(g, {.fan_outs = {3, -2}}); }, {"fan-out -2 of hop 2", "all_neighbours"});
  expect_error([&] { neighbour_sampler(g, {.fan_outs = {all_neighbours}, .with_replacement = true}); },
               {"all neighbours of hop 1 with replacement"});
  expect_error([&] { neighbour_sampler(g, {.fan_outs = {std::int64_t{1} << 40}, .with_replacement = true}); },
               {"fan-out 1099511627776 of hop 1 with replacement", "up to 2147483647"});
  // As many as there are, and none.
  EXPECT_EQ(neighbour_sampler(g, {.fan_outs = {std::int64_t{1} << 40}}).sample(ids({0}), 1).graph.edges(),
            g.in_edges().degree(0));
  EXPECT_EQ(neighbour_sampler(g, {.fan_outs = {0, 3}}).sample(ids({0, 1}), 1).graph.edges(), 0);
  const graph other = drawn_graph(10, 50, 5);
  expect_error([&] { neighbour_sampler(g, {.fan_outs = {3}}, other.edge_values(tensor<float>({50}))); },
               {"another graph"});
  auto w = tensor<float>::full({50}, 1.0f);
  w(7) = -1;
  expect_error([&] { neighbour_sampler(g, {.fan_outs = {3}}, g.edge_values(w)); }, {"weight of edge 7", "-1"});
  w(7) = std::numeric_limits<float>::quiet_NaN();
  expect_error([&] { neighbour_sampler(g, {.fan_outs = {3}}, g.edge_values(w)); }, {"weight of edge 7", "nan"});
  w(7) = std::numeric_limits<float>::infinity();
  expect_error([&] { neighbour_sampler(g, {.fan_outs = {3}}, g.edge_values(w)); }, {"weight of edge 7", "inf"});
  expect_error(
      [&] {
        neighbour_sampler(g, {.fan_outs = {3}}, g.edge_values(tensor<float>({50, 2})));
      },
      {"(50, 2)", "one number per edge"});
  batch b = sampler.sample(ids({1}), 1);
  const std::vector<std::int64_t> none_such = {50};
  expect_error([&] { sampler.sample_without(b, ids({1}), 1, none_such); }, {"edge 50", "[0, 50)"});
  EXPECT_EQ(b.graph.vertices(), 0);
  EXPECT_TRUE(b.vertices.empty());
  sampler.sample_into(b, ids({1}), 1);
  expect_sound(b, g);
}

TEST(batch, knows_its_seeds) {
  const batch b = neighbour_sampler(drawn_graph(100, 2000, 4), {.fan_outs = {5}}).sample(ids({1, 2}), 1);
  const tensor<bool> mask = b.seed_mask();
  ASSERT_EQ(mask.size(), b.graph.vertices());
  EXPECT_EQ(std::count(mask.begin(), mask.end(), true), 2);
  EXPECT_TRUE(mask(0) && mask(1));
}

}  // namespace
}  // namespace stg
