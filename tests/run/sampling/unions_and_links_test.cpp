// test: draft sampling
// Many graphs as one, and batches of links: which pairs they have, and what they must not show.
#include "../expect_error.hpp"  // expect_error
#include "support.hpp"          // drawn_graph, expect_sound

#include <stg/sampling/clusters.hpp>      // cluster_sampler
#include <stg/sampling/graph_union.hpp>   // batch_graphs
#include <stg/sampling/link_sampler.hpp>  // link_sampler

#include <set>  // set

namespace stg {
namespace {

using test::drawn_graph, test::expect_error, test::expect_sound;

TEST(batch_graphs, puts_graphs_side_by_side) {
  const graph graphs[] = {graph::from_edges(3, {2, 0, 1}, {0, 1, 0}), graph(), graph::from_edges(1, {}, {}),
                          graph::from_edges(2, {1, 1}, {0, 1})};
  const graph_union plain = batch_graphs(graphs);
  EXPECT_EQ(plain.graphs(), 4);
  EXPECT_EQ(plain.vertex_offsets, (std::vector<std::int64_t>{0, 3, 3, 4, 6}));
  EXPECT_EQ(plain.edge_offsets, (std::vector<std::int64_t>{0, 3, 3, 3, 5}));
  EXPECT_EQ(plain.graph.edge_list(), (edge_list{{2, 0, 1, 5, 5}, {0, 1, 0, 4, 5}}));
  const std::int32_t of[] = {0, 0, 0, 2, 3, 3};
  EXPECT_TRUE(std::equal(plain.graph_of.begin(), plain.graph_of.end(), of, of + 6));

  const graph_union with = batch_graphs(graphs, {.readout = true});
  EXPECT_EQ(with.graph.vertices(), 10);
  EXPECT_EQ(with.readout(3), 9);
  EXPECT_EQ(with.graph.edge_list(), (edge_list{{2, 0, 1, 5, 5, 0, 1, 2, 3, 4, 5}, {0, 1, 0, 4, 5, 6, 6, 6, 8, 9, 9}}));
  for (std::int64_t v = 0; v < 10; ++v) EXPECT_EQ(with.is_readout(v), v >= 6);
  EXPECT_EQ(with.graph_of(7), 1);
  EXPECT_EQ(batch_graphs({}).graph.vertices(), 0);
}

TEST(batch_graphs, gives_batches_of_graphs_by_their_parts) {
  std::vector<graph> graphs;
  for (unsigned i = 0; i < 6; ++i) graphs.push_back(drawn_graph(6 + i, 20, i));
  const graph_union all = batch_graphs(graphs, {.readout = true});
  const batch b = cluster_sampler(all.graph, all.graph_of).sample(std::vector<std::int32_t>{4, 1}, 0);
  expect_sound(b, all.graph);
  EXPECT_EQ(b.graph.vertices(), 10 + 7 + 2);
  EXPECT_EQ(b.graph.edges(), 40 + 10 + 7);
  EXPECT_EQ(b.vertices[10], all.readout(4));  // behind its graph's vertices
  EXPECT_EQ(b.graph.in_edges().degree(10), 10);
}

TEST(link_sampler, has_the_pairs_and_hides_the_edges) {
  const graph g = drawn_graph(60, 600, 3).to_undirected();
  const link_sampler sampler(neighbour_sampler(g, {.fan_outs = {all_neighbours, 5}}), {.negatives = 3});
  const std::vector<std::int64_t> edges = {5, 300, 17, 42};
  const batch b = sampler.sample(edges, 8);
  expect_sound(b, g);
  ASSERT_EQ(b.pair_src.size(), 16u);
  ASSERT_EQ(b.pair_dst.size(), 16u);
  EXPECT_EQ(b.true_pairs, 4);
  const edge_list list = g.edge_list();
  const auto vertex = [&](std::int32_t local) { return b.vertices[static_cast<std::size_t>(local)]; };
  const auto dst = test::destinations_of(g);
  std::set<std::pair<std::int32_t, std::int32_t>> there;
  for (std::int64_t k = 0; k < g.edges(); ++k)
    there.emplace(g.in_edges().neighbour(k), dst[static_cast<std::size_t>(k)]);
  std::set<std::pair<std::int32_t, std::int32_t>> hidden;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(vertex(b.pair_src[i]), g.in_edges().neighbour(edges[i]));
    EXPECT_EQ(vertex(b.pair_dst[i]), dst[static_cast<std::size_t>(edges[i])]);
    hidden.emplace(vertex(b.pair_src[i]), vertex(b.pair_dst[i]));
    hidden.emplace(vertex(b.pair_dst[i]), vertex(b.pair_src[i]));
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t j = 4 + 3 * i + k;
      EXPECT_EQ(b.pair_src[j], b.pair_src[i]);
      EXPECT_EQ(there.count({vertex(b.pair_src[j]), vertex(b.pair_dst[j])}), 0u);
    }
  }
  std::int64_t seen = 0;
  for (std::int64_t e = 0; e < b.graph.edges(); ++e) {
    const std::int64_t id = b.edges[static_cast<std::size_t>(e)];
    seen += hidden.count({g.in_edges().neighbour(id), dst[static_cast<std::size_t>(id)]}) > 0;
  }
  EXPECT_EQ(seen, 0);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_LT(b.pair_src[i], b.seeds);

  const batch shown = link_sampler(neighbour_sampler(g, {.fan_outs = {all_neighbours}}),
                                   {.negatives = 0, .leave_out_edges = false, .leave_out_reverse = false})
                          .sample(edges, 8);
  for (const std::int64_t e : edges) EXPECT_EQ(std::count(shown.edges.begin(), shown.edges.end(), e), 1);
  EXPECT_EQ(shown.pair_src.size(), 4u);

  const graph pairs = b.pairs();
  EXPECT_EQ(pairs.edges(), 16);
  EXPECT_EQ(pairs.vertices(), b.graph.vertices());
  const auto targets = pairs.to_input_order(b.pair_targets(pairs));
  for (std::int64_t i = 0; i < 16; ++i) EXPECT_EQ(targets(i), i < 4 ? 1 : 0);
  const batch again = sampler.sample(edges, 8);
  EXPECT_EQ(again.edges, b.edges);
  EXPECT_EQ(again.pair_dst, b.pair_dst);
}

TEST(link_sampler, says_what_is_wrong) {
  const graph g = drawn_graph(10, 50, 3);
  const link_sampler sampler(neighbour_sampler(g, {.fan_outs = {2}}), {});
  expect_error([&] { sampler.sample(std::vector<std::int64_t>{3, 50}, 1); }, {"edge 1 is 50", "[0, 50)"});
  expect_error([&] { sampler.sample(std::vector<std::int64_t>{-1}, 1); }, {"edge 0 is -1"});
  expect_error([&] { link_sampler(neighbour_sampler(g, {}), {.negatives = -1}); }, {"-1 negatives"});
  EXPECT_EQ(sampler.sample(std::vector<std::int64_t>{}, 1).graph.vertices(), 0);
}

}  // namespace
}  // namespace stg
