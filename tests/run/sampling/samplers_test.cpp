// test: draft sampling, proof sanitized readers
// Samplers of layers, of subgraphs and of clusters, and edges that are earlier: what is drawn, and how often.
#include "../expect_error.hpp"   // expect_error
#include "../support/kinds.hpp"  // author, paper, writes
#include "support.hpp"           // drawn_graph, expect_sound, chi_square_excess

#include <stg/sampling/clusters.hpp>           // cluster_sampler, partition
#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/layer_sampler.hpp>      // layer_sampler
#include <stg/sampling/neighbour_sampler.hpp>  // all_neighbours
#include <stg/sampling/subgraph_sampler.hpp>   // subgraph_sampler, estimate_norms
#include <stg/sampling/temporal_sampler.hpp>   // temporal_sampler

#include <algorithm>  // count
#include <set>        // set

namespace stg {
namespace {

using test::chi_square_excess, test::drawn_graph, test::expect_error, test::expect_sound;
using ids = std::vector<std::int32_t>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// ---- time ----

/// Edges 1, …, 9 → 0 at times 5, 1, 4, 2, 3, 2, 9, 8, 7, and 0 → 1 at time 3.
struct timed_graph {
  graph g = graph::from_edges(10, {1, 2, 3, 4, 5, 6, 7, 8, 9, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
  edge_values<double> times = g.edge_values(tensor<double>::from({10}, {5, 1, 4, 2, 3, 2, 9, 8, 7, 3}));
};

TEST(temporal_sampler, sees_earlier_edges_alone) {
  const timed_graph t;
  const temporal_sampler all(t.g, {.fan_outs = {all_neighbours, all_neighbours}}, t.times);
  const batch b = all.sample(ids{0, 0, 0, 1}, std::vector<double>{1, 3, 100, 4}, 1);
  expect_sound(b, t.g);
  const adjacency in = b.graph.in_edges();
  EXPECT_EQ(in.degree(0), 0);  // nothing is before 1
  EXPECT_EQ(in.degree(1), 3);  // times 1, 2, 2
  EXPECT_EQ(in.degree(2), 9);
  EXPECT_EQ(in.degree(3), 1);  // 0 → 1 at 3, and its own in-edges before 4
  ASSERT_EQ(b.roots.size(), b.vertices.size());
  for (std::int64_t v = 4; v < b.graph.vertices(); ++v) EXPECT_GE(b.roots[static_cast<std::size_t>(v)], 1);
  for (std::int64_t v = 0; v < b.graph.vertices(); ++v)
    for (auto k = in.begin(v); k < in.end(v); ++k) {
      EXPECT_EQ(b.roots[static_cast<std::size_t>(v)], b.roots[static_cast<std::size_t>(in.neighbour(k))]);
      const double limit[] = {1, 3, 100, 4};
      EXPECT_LT(t.times.values()(b.edges[static_cast<std::size_t>(k)]), limit[b.roots[static_cast<std::size_t>(v)]]);
    }
  const std::int64_t of_last = b.vertex_offsets[2] - 1;  // vertex 0 as the last seed's neighbour: edges of 1, 2, 3, 2
  EXPECT_EQ(b.vertices[static_cast<std::size_t>(of_last)], 0);
  EXPECT_EQ(in.degree(of_last), 4);
}

TEST(temporal_sampler, takes_the_latest_or_any) {
  const timed_graph t;
  const temporal_sampler latest(t.g, {.fan_outs = {2}, .latest = true}, t.times);
  EXPECT_EQ(latest.sample(ids{0}, std::vector<double>{5}, 1).edges,
            (std::vector<std::int64_t>{4, 2}));  // times 3 and 4
  const temporal_sampler any(t.g, {.fan_outs = {2}}, t.times);
  std::vector<double> counts(10, 0), expected = {0, 1, 1, 1, 1, 1, 0, 0, 0, 0};
  for (std::uint64_t n = 0; n < 20000; ++n)
    for (const std::int64_t e : any.sample(ids{0}, std::vector<double>{5}, n).edges)
      counts[static_cast<std::size_t>(e)] += 1;
  for (double& e : expected) e *= 8000;
  EXPECT_LT(chi_square_excess(counts, expected), 5);
  EXPECT_EQ(any.sample(ids{0}, 3).graph.edges(), 2);  // without times
}

TEST(temporal_sampler, says_what_is_wrong) {
  const timed_graph t;
  const temporal_sampler s(t.g, {.fan_outs = {2}}, t.times);
  expect_error([&] { s.sample(ids{0, 1}, std::vector<double>{5}, 1); }, {"1 times for 2 seeds"});
  expect_error([&] { s.sample(ids{0}, std::vector<double>{nan}, 1); }, {"time of seed 0 is NaN"});
  expect_error([&] { s.sample(ids{10}, std::vector<double>{1}, 1); }, {"seed 0 is vertex 10"});
  expect_error([&] { temporal_sampler(t.g, {.fan_outs = {-3}}, t.times); }, {"fan-out -3 of hop 1"});
  expect_error([&] { temporal_sampler(t.g, {}, t.g.edge_values(tensor<double>::full({10}, nan))); }, {"edge 0 is NaN"});
  expect_error([&] { temporal_sampler(t.g, {}, t.g.edge_values(tensor<double>({10, 1}))); }, {"(10, 1)"});
}

// ---- layers ----

TEST(layer_sampler, gives_sums_over_all_neighbours_on_the_average) {
  const graph g = drawn_graph(60, 500, 6);
  const auto w = g.edge_values([] {
    auto t = tensor<float>::for_overwrite({500});
    for (std::int64_t e = 0; e < 500; ++e) t(e) = static_cast<float>(e % 5);
    return t;
  }());
  const ids seeds = {0, 30, 59};
  const layer_sampler samplers[] = {layer_sampler(g, {12}), layer_sampler(g, {12}, w)};
  for (const bool weighted : {false, true}) {
    constexpr int rounds = 20000;
    std::vector<double> sum(3, 0), squares(3, 0), exact(3, 0);
    const auto x = [](std::int32_t u) { return 1 + static_cast<double>(u % 7); };
    for (std::size_t i = 0; i < 3; ++i)
      for (auto k = g.in_edges().begin(seeds[i]); k < g.in_edges().end(seeds[i]); ++k)
        exact[i] +=
            (weighted ? static_cast<double>(w.values()(k)) : 1.0 / static_cast<double>(g.in_edges().degree(seeds[i]))) *
            x(g.in_edges().neighbour(k));
    batch b;
    for (int round = 0; round < rounds; ++round) {
      samplers[weighted].sample_into(b, seeds, static_cast<std::uint64_t>(round));
      if (round == 0) expect_sound(b, g);
      EXPECT_LE(b.graph.vertices(), 3 + 12);
      ASSERT_EQ(b.edge_weights.size(), b.edges.size());
      for (std::int64_t i = 0; i < 3; ++i) {
        double s = 0;
        for (auto k = b.graph.in_edges().begin(i); k < b.graph.in_edges().end(i); ++k)
          s += static_cast<double>(b.edge_weights[static_cast<std::size_t>(k)]) *
               x(b.vertices[static_cast<std::size_t>(b.graph.in_edges().neighbour(k))]);
        sum[static_cast<std::size_t>(i)] += s;
        squares[static_cast<std::size_t>(i)] += s * s;
      }
    }
    for (std::size_t i = 0; i < 3; ++i) {
      const double mean = sum[i] / rounds, variance = squares[i] / rounds - mean * mean;
      EXPECT_LT(std::abs(mean - exact[i]), 5 * std::sqrt(variance / rounds)) << i << ' ' << mean << ' ' << exact[i];
      EXPECT_GT(variance, 0);
    }
  }
}

/// Nothing can be drawn where nothing has a weight, and of no draws and no vertices.
TEST(layer_sampler, takes_weights_of_0_and_graphs_of_nothing) {
  const graph g = drawn_graph(30, 100, 9);
  const auto none = g.edge_values(tensor<float>({100}));
  const batch b = layer_sampler(g, {4, 4}, none).sample(ids{0, 1}, 1);
  expect_sound(b, g);
  EXPECT_EQ(b.graph.edges(), 0);
  EXPECT_EQ(layer_sampler(g, {0}).sample(ids{0, 1}, 1).graph.edges(), 0);
  EXPECT_EQ(layer_sampler(graph(), {4}).sample(ids{}, 1).graph.vertices(), 0);
  expect_error([&] { layer_sampler(g, {-4}); }, {"-4"});
  expect_error([&] { layer_sampler(g, {4}).sample(ids{30}, 1); }, {"seed 0 is vertex 30"});
  auto w = tensor<float>::full({100}, 1);
  w(3) = nan;
  expect_error([&] { layer_sampler(g, {4}, g.edge_values(w)); }, {"weight of edge 3"});
}

TEST(layer_sampler, takes_all_edges_of_what_it_drew) {
  const graph g = drawn_graph(200, 3000, 7);
  const batch b = layer_sampler(g, {20, 20}).sample(ids{1, 2, 3, 4, 5, 6}, 3);
  expect_sound(b, g);
  const std::int64_t reached = b.vertex_offsets[2];
  std::set<std::int32_t> drawn;
  for (std::int64_t k = 0; k < b.edge_offsets[1]; ++k)
    drawn.insert(b.vertices[static_cast<std::size_t>(b.graph.in_edges().neighbour(k))]);
  std::int64_t edges = 0;
  for (std::int64_t i = 0; i < 6; ++i)
    for (auto k = g.in_edges().begin(b.vertices[static_cast<std::size_t>(i)]);
         k < g.in_edges().end(b.vertices[static_cast<std::size_t>(i)]); ++k)
      edges += drawn.count(g.in_edges().neighbour(k)) > 0;
  EXPECT_EQ(edges, b.edge_offsets[1]);
  EXPECT_LE(reached, 26);
  EXPECT_EQ(b.weights().values().size(), b.graph.edges());
  EXPECT_EQ(layer_sampler(g, {0}).sample(ids{1}, 3).graph.edges(), 0);
  expect_error([&] { layer_sampler(g, {3, -1}); }, {"-1 draws in hop 2"});
}

// ---- subgraphs ----

void expect_induced(const batch& b, const graph& g) {
  expect_sound(b, g);
  EXPECT_EQ(b.seeds, b.graph.vertices());
  const std::set<std::int32_t> there(b.vertices.begin(), b.vertices.end());
  ASSERT_EQ(there.size(), b.vertices.size());
  std::int64_t edges = 0;
  for (const std::int32_t v : b.vertices)
    for (auto k = g.in_edges().begin(v); k < g.in_edges().end(v); ++k)
      edges += there.count(g.in_edges().neighbour(k)) > 0;
  EXPECT_EQ(b.graph.edges(), edges);
}

TEST(subgraph_sampler, takes_all_edges_among_what_it_drew) {
  const graph g = drawn_graph(300, 3000, 9);
  for (const auto& sampler : {subgraph_sampler::by_walks(g, 10, 4), subgraph_sampler::by_vertices(g, 40),
                              subgraph_sampler::by_edges(g, 30)}) {
    const batch b = sampler.sample({}, 5);
    EXPECT_GT(b.graph.edges(), 0);
    expect_induced(b, g);
  }
  const batch some = subgraph(g, ids{5, 1, 299, 0});
  expect_induced(some, g);
  EXPECT_EQ(some.vertices, (ids{5, 1, 299, 0}));
  const batch walks = subgraph_sampler::by_walks(g, 0, 2).sample(ids{4, 9}, 1);
  EXPECT_EQ(walks.vertices[0], 4);
  EXPECT_LE(walks.graph.vertices(), 6);
  EXPECT_EQ(subgraph_sampler::by_walks(graph(), 5, 2).sample({}, 1).graph.vertices(), 0);
  EXPECT_EQ(subgraph_sampler::by_edges(graph::from_edges(3, {}, {}), 5).sample({}, 1).graph.vertices(), 0);
}

TEST(subgraph_sampler, draws_in_proportion_to_what_the_paper_says) {
  // 0 → 1, 0 → 2, 1 → 2, 2 → 0, 3 → 2: in-degrees 1, 1, 3, 0.
  const graph g = graph::from_edges(4, {0, 0, 1, 2, 3}, {1, 2, 2, 0, 2});
  constexpr int rounds = 30000;
  std::vector<double> vertices(4, 0), edges(16, 0);
  const auto by_vertices = subgraph_sampler::by_vertices(g, 1);
  const auto by_edges = subgraph_sampler::by_edges(g, 1);
  for (std::uint64_t n = 0; n < rounds; ++n) {
    vertices[static_cast<std::size_t>(by_vertices.sample({}, n).vertices.at(0))] += 1;
    const batch b = by_edges.sample({}, n);
    edges[static_cast<std::size_t>(4 * b.vertices[0] + b.vertices[1])] += 1;
  }
  std::vector<double> p = {1 + 1. / 9, 1. / 9, 1, 1. / 9}, q(16, 0);
  for (double& w : p) w *= rounds / (2 + 3. / 9);
  EXPECT_LT(chi_square_excess(vertices, p), 5);
  q[0 * 4 + 1] = 2, q[0 * 4 + 2] = 1 + 1. / 3, q[1 * 4 + 2] = 1 + 1. / 3, q[2 * 4 + 0] = 1. / 3 + 1,
            q[3 * 4 + 2] = 1 + 1. / 3;
  for (double& w : q) w *= rounds / (2 + 4 * (1 + 1. / 3));
  EXPECT_LT(chi_square_excess(edges, q), 5);
}

TEST(subgraph_norms, make_sums_those_of_the_graph_on_the_average) {
  const graph g = drawn_graph(80, 500, 12);
  const auto sampler = subgraph_sampler::by_walks(g, 12, 3);
  constexpr int rounds = 20000;
  const auto norms = estimate_norms(sampler, rounds, 1);
  const auto f = [](std::int32_t v) { return static_cast<double>(v % 9); };
  double exact = 0, sum = 0;
  for (std::int32_t v = 0; v < 80; ++v) exact += f(v) / 80;
  // Of one vertex that is met often, the sum over its in-edges whenever it is there.
  double row = 0, rows = 0, row_exact = 0;
  for (auto k = g.in_edges().begin(2); k < g.in_edges().end(2); ++k) row_exact += f(g.in_edges().neighbour(k));
  batch b;
  for (std::uint64_t n = 0; n < rounds; ++n) {
    sampler.sample_into(b, {}, 1'000'000 + n);  // others than the norms were estimated of
    const auto share = gather(norms.vertices, b.vertices);
    const auto w = gather(norms.edges, b);
    for (std::int64_t v = 0; v < b.graph.vertices(); ++v) {
      sum += static_cast<double>(share(v)) * f(b.vertices[static_cast<std::size_t>(v)]);
      if (b.vertices[static_cast<std::size_t>(v)] != 2) continue;
      rows += 1;
      for (auto k = b.graph.in_edges().begin(v); k < b.graph.in_edges().end(v); ++k)
        row += static_cast<double>(w.values()(k)) *
               f(b.vertices[static_cast<std::size_t>(b.graph.in_edges().neighbour(k))]);
    }
  }
  EXPECT_NEAR(sum / rounds, exact, 0.02 * exact);
  EXPECT_NEAR(row / rows, row_exact, 0.03 * row_exact);
}

TEST(samplers, take_graphs_of_nothing) {
  const graph empty;
  EXPECT_EQ(subgraph_sampler::by_edges(empty, 3).sample(ids{}, 1).graph.vertices(), 0);
  EXPECT_EQ(subgraph_sampler::by_vertices(empty, 3).sample(ids{}, 1).graph.vertices(), 0);
  EXPECT_EQ(subgraph_sampler::by_walks(empty, 3, 2).sample(ids{}, 1).graph.vertices(), 0);
  EXPECT_EQ(cluster_sampler(empty, tensor<std::int32_t>({0})).sample(ids{}, 1).graph.vertices(), 0);
  EXPECT_EQ(temporal_sampler(empty, {.fan_outs = {2}}, empty.edge_values(tensor<double>({0})))
                .sample(ids{}, std::vector<double>{}, 1)
                .graph.vertices(),
            0);
  const graph g = drawn_graph(30, 100, 9);
  expect_error(
      [&] {
        temporal_sampler(g, {.fan_outs = {2}}, g.edge_values(tensor<double>({100})))
            .sample(ids{-1}, std::vector<double>{1}, 1);
      },
      {"seed 0 is vertex -1"});
}

TEST(subgraph_sampler, says_what_is_wrong) {
  const graph g = drawn_graph(30, 100, 9);
  expect_error([&] { subgraph_sampler::by_walks(g, -1, 4); }, {"-1 draws"});
  expect_error([&] { subgraph_sampler::by_walks(g, 1, -4); }, {"-4 steps"});
  expect_error([&] { subgraph_sampler::by_edges(g, 3).sample(ids{1}, 1); }, {"1 seeds", "give none"});
  expect_error([&] { subgraph_sampler::by_walks(g, 3, 3).sample(ids{30}, 1); }, {"seed 0 is vertex 30"});
  expect_error([&] { estimate_norms(subgraph_sampler::by_walks(g, 3, 3), 0, 1); }, {"0 subgraphs"});
  expect_error([&] { subgraph(g, ids{3, 3}); }, {"both vertex 3"});
}

// ---- clusters ----

TEST(cluster_sampler, takes_whole_parts) {
  const graph g = drawn_graph(100, 900, 10);
  tensor<std::int32_t> parts({100});
  for (std::int64_t v = 0; v < 100; ++v) parts(v) = static_cast<std::int32_t>(v * 7 % 5);
  const cluster_sampler sampler(g, parts);
  EXPECT_EQ(sampler.parts(), 5);
  const batch b = sampler.sample(ids{3, 1}, 0);
  expect_induced(b, g);
  EXPECT_EQ(b.graph.vertices(), 40);
  for (std::size_t i = 0; i < 40; ++i) EXPECT_EQ(parts(b.vertices[i]), i < 20 ? 3 : 1);
  expect_error([&] { sampler.sample(ids{5}, 0); }, {"seed 0 is part 5", "[0, 5)"});
  expect_error([&] { sampler.sample(ids{2, 2}, 0); }, {"part 2 is given twice"});
  expect_error([&] { cluster_sampler(g, tensor<std::int32_t>({99})); }, {"(99,)", "one for each"});
  parts(4) = -1;
  expect_error([&] { cluster_sampler(g, parts); }, {"vertex 4 is of part -1"});
}

TEST(partition, cuts_few_edges) {
  if (!has_partition()) {
    expect_error([&] { partition(graph::from_edges(3, {0, 1}, {1, 2}), 2, 1); }, {"METIS", "install"});
    GTEST_SKIP() << "METIS is not installed";
  }
  // Eight rings of 50 vertices, each with one edge to the next: parts are the rings.
  std::vector<std::int64_t> src, dst;
  for (std::int64_t v = 0; v < 400; ++v) {
    src.push_back(v), dst.push_back(v / 50 * 50 + (v + 1) % 50);
    src.push_back(v), dst.push_back(v / 50 * 50 + (v + 7) % 50);
    src.push_back(v), dst.push_back(v);
    if (v % 50 == 0) src.push_back(v), dst.push_back((v + 50) % 400);
  }
  const graph g = graph::from_edges(400, src, dst);
  const auto parts = partition(g, 8, 1), again = partition(g, 8, 1);
  std::int64_t cut = 0;
  for (std::size_t e = 0; e < src.size(); ++e) cut += parts(src[e]) != parts(dst[e]);
  EXPECT_LE(cut, 40);  // 1050 if parts were drawn
  for (std::int32_t p = 0; p < 8; ++p)
    EXPECT_NEAR(static_cast<double>(std::count(parts.begin(), parts.end(), p)), 50, 10);
  for (std::int64_t v = 0; v < 400; ++v) EXPECT_EQ(parts(v), again(v));
  EXPECT_EQ(partition(graph::from_edges(2, {}, {}), 2, 1).size(), 2);
}

TEST(partition, leaves_no_part_empty) {
  if (!has_partition()) GTEST_SKIP() << "METIS is not installed";
  for (const std::int64_t vertices : {5, 10, 34, 100, 500}) {
    const graph g = drawn_graph(vertices, 2 * vertices, 3);
    for (const std::int64_t parts : {1L, 2L, vertices / 4, vertices / 2, vertices - 1, vertices}) {
      if (parts < 1 || parts > vertices) continue;
      SCOPED_TRACE(std::to_string(parts) + " parts of " + std::to_string(vertices) + " vertices");
      const cluster_sampler sampler(g, partition(g, parts, 1));
      ASSERT_EQ(sampler.parts(), parts);
      std::int64_t seen = 0;
      for (std::int32_t p = 0; p < parts; ++p) {
        const std::int64_t of_part = sampler.sample(ids{p}, 0).graph.vertices();
        EXPECT_GT(of_part, 0);
        EXPECT_TRUE(of_part == 1 || parts < vertices);
        seen += of_part;
      }
      EXPECT_EQ(seen, vertices);
    }
  }
}

TEST(partition, says_what_is_wrong) {
  const graph g = drawn_graph(30, 100, 9);
  expect_error([&] { partition(g, 0, 1); }, {"0 parts", "30 vertices"});
  expect_error([&] { partition(g, 31, 1); }, {"31 parts"});
  EXPECT_EQ(partition(g, 1, 1).size(), 30);
  EXPECT_EQ(partition(graph(), 1, 1).size(), 0);
  if (!has_partition()) GTEST_SKIP() << "METIS is not installed";
  graphs several;
  several.add_vertices(kinds::author, 3).add_vertices(kinds::paper, 3).add_edges(kinds::writes, {0, 1}, {1, 2});
  expect_error([&] { partition(several.relation(kinds::writes), 2, 1); }, {"partition: this relation joins two sets"});
  expect_error([&] { partition(static_cast<const graph&>(several), 2, 1); },
               {"partition: this graph stands for several", "cut::by_metis"});
}

}  // namespace
}  // namespace stg
