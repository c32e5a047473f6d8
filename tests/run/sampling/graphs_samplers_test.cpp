// test: draft sampling, proof sanitized readers
// Graphs of several kinds sampled by time and layer by layer, and their rows in blocks: what is taken, and how often.
#include "../expect_error.hpp"               // expect_error
#include "../support/count_allocations.hpp"  // allocations
#include "support.hpp"                       // drawn_graph, destinations_of

#include <stg/sampling/clusters.hpp>                 // cluster_sampler
#include <stg/sampling/graphs_layer_sampler.hpp>     // graphs_layer_sampler
#include <stg/sampling/graphs_row_blocks.hpp>        // graphs_row_blocks
#include <stg/sampling/graphs_temporal_sampler.hpp>  // graphs_temporal_sampler
#include <stg/sampling/layer_sampler.hpp>            // layer_sampler
#include <stg/sampling/row_blocks.hpp>               // row_blocks
#include <stg/sampling/subgraph_sampler.hpp>         // subgraph_sampler
#include <stg/sampling/temporal_sampler.hpp>         // temporal_sampler

#include <algorithm>   // min, sort
#include <functional>  // function
#include <limits>      // numeric_limits
#include <set>         // set
#include <thread>      // thread

namespace stg {
namespace {

using test::destinations_of, test::drawn_graph, test::drawn_ids, test::expect_error;
using ids = std::vector<std::int32_t>;

/// What has a name alone, as the language's sets and relations have.
template <int N> struct kind_name;
template <> struct kind_name<0> {
  static constexpr std::string_view view() { return "author"; }
};
template <> struct kind_name<1> {
  static constexpr std::string_view view() { return "paper"; }
};
template <> struct kind_name<2> {
  static constexpr std::string_view view() { return "writes"; }
};
template <> struct kind_name<3> {
  static constexpr std::string_view view() { return "cites"; }
};
template <> struct kind_name<4> {
  static constexpr std::string_view view() { return "written by"; }
};
template <> struct kind_name<5> {
  static constexpr std::string_view view() { return "venue"; }
};
template <> struct kind_name<6> {
  static constexpr std::string_view view() { return "reviews"; }
};
template <int N> struct named_set {
  using name = kind_name<N>;
  using is_vertex_set = void;
};
template <int N, class Source, class Destination> struct named_relation {
  using name = kind_name<N>;
  using source = Source;
  using destination = Destination;
};
constexpr named_set<0> author;
constexpr named_set<1> paper;
constexpr named_set<5> venue;
constexpr named_relation<2, named_set<0>, named_set<1>> writes;
constexpr named_relation<6, named_set<0>, named_set<1>> reviews;
constexpr named_relation<3, named_set<1>, named_set<1>> cites;
constexpr named_relation<4, named_set<1>, named_set<0>> written_by;

tensor<double> moments(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  auto t = tensor<double>::for_overwrite({count});
  for (double& n : t) n = static_cast<double>(random() % 50);  // many edges of one moment
  return t;
}

/// Sets of different sizes, one of no vertices; a relation without edges, and one from a set to itself.
struct academia {
  graphs g;
  edge_values<double> of_writes, of_cites;
  academia() {
    g.add_vertices(author, 70).add_vertices(paper, 200).add_vertices(venue, 0);
    g.add_edges(writes, drawn_ids(700, 70, 5), drawn_ids(700, 200, 6)).add_reverse(written_by, writes);
    g.add_edges(cites, drawn_ids(900, 200, 7), drawn_ids(900, 200, 8)).add_edges(reviews, {}, {});
    of_writes = g.edge_values(writes, moments(700, 1));
    of_cites = g.edge_values(cites, moments(900, 2));
  }
};

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// What holds of every batch: each relation's edges are the large one's, row by row, and offsets fit.
void expect_sound(const graphs_batch& b, const graphs& large) {
  for (const graphs_batch::set_rows& s : b.sets) {
    ASSERT_EQ(b.graph.vertices(s.name), std::ssize(s.vertices));
    ASSERT_EQ(s.offsets.back(), std::ssize(s.vertices));
    ASSERT_EQ(std::ssize(s.offsets), b.hops() + 2);
    ASSERT_TRUE(s.roots.empty() || s.roots.size() == s.vertices.size());
  }
  for (const relation_names& r : large.relations()) {
    const graphs_batch::relation_rows& rows = b.of_relation(r.name);
    const graph &part = b.graph.relation(r.name), &all = large.relation(r.name);
    const ids &from = b.of_set(r.source).vertices, &into = b.of_set(r.destination).vertices;
    ASSERT_EQ(part.edges(), std::ssize(rows.edges));
    ASSERT_EQ(rows.offsets.back(), part.edges());
    ASSERT_TRUE(rows.edge_weights.empty() || rows.edge_weights.size() == rows.edges.size());
    const ids dst = destinations_of(part), large_dst = destinations_of(all);
    for (std::int64_t e = 0; e < part.edges(); ++e) {
      const std::int64_t id = rows.edges[at(e)];
      ASSERT_EQ(from[at(part.in_edges().neighbour(e))], all.in_edges().neighbour(id));
      ASSERT_EQ(into[at(dst[at(e)])], large_dst[at(id)]);
    }
    std::int64_t out = 0;
    for (const std::int32_t d : part.out_degrees()) out += d;
    ASSERT_EQ(out, part.edges());
  }
  ASSERT_EQ(b.blocks().seeds(), b.seeds);
}

// ---- time ----

graphs_temporal_sampler timed(const academia& all, graphs_temporal_options options) {
  return graphs_temporal_sampler(all.g, std::move(options)).by_time(writes, all.of_writes).by_time(cites, all.of_cites);
}

TEST(graphs_temporal_sampler, sees_earlier_edges_of_each_relation_alone) {
  const academia all;
  const ids seeds = {7, 3, 3, 199, 7};
  const std::vector<double> times = {10, 25, 40, 1000, -1};
  const auto sampler = timed(all, {.fan_outs = {all_neighbours, all_neighbours, 3}});
  const graphs_batch b = sampler.sample(paper, seeds, times, 1);
  expect_sound(b, all.g);
  EXPECT_EQ(b.seeds, 5);
  EXPECT_EQ(ids(b.vertices(paper).begin(), b.vertices(paper).begin() + 5), seeds);
  EXPECT_EQ(b.graph.vertices(venue), 0);
  // Of written_by, which has no times, all edges are there; of the others those before the time of the row's seed.
  const auto time_of = [&](std::string_view relation, std::int64_t edge) {
    if (relation == "writes") return all.of_writes.values()(edge);
    if (relation == "cites") return all.of_cites.values()(edge);
    return -std::numeric_limits<double>::infinity();
  };
  std::int64_t looked_at = 0;
  for (const relation_names& r : all.g.relations()) {
    const auto &from = b.of_set(r.source), &into = b.of_set(r.destination);
    const graphs_batch::relation_rows& rows = b.of_relation(r.name);
    const adjacency in = b.graph.relation(r.name).in_edges(), large = all.g.relation(r.name).in_edges();
    for (std::int64_t v = 0; v < in.rows(); ++v) {
      const double before = times[at(into.roots[at(v)])];
      for (auto k = in.begin(v); k < in.end(v); ++k) {
        EXPECT_EQ(from.roots[at(in.neighbour(k))], into.roots[at(v)]);
        EXPECT_LT(time_of(r.name, rows.edges[at(k)]), before);
      }
      std::int64_t earlier = 0;
      for (auto k = large.begin(into.vertices[at(v)]); k < large.end(into.vertices[at(v)]); ++k)
        earlier += time_of(r.name, k) < before;
      if (v < into.offsets[2]) EXPECT_EQ(in.degree(v), earlier) << r.name << ' ' << v;  // NOLINT
      else EXPECT_EQ(in.degree(v), v < into.offsets[3] ? std::min<std::int64_t>(earlier, 3) : 0);
      looked_at += earlier > 0 && v < into.offsets[2];
    }
  }
  EXPECT_GT(looked_at, 50);
  EXPECT_EQ(b.graph.relation(writes).in_degrees()[4], 0);  // nothing is before -1
}

TEST(graphs_temporal_sampler, gives_of_one_relation_the_batch_of_the_plain_sampler) {
  const graph plain = drawn_graph(300, 3000, 1);
  const auto times = plain.edge_values(moments(3000, 3));
  graphs g;
  g.add_vertices(paper, 300).add_edges(cites, plain);
  const ids seeds = {4, 290, 17, 4};
  const std::vector<double> of_seeds = {30, 2, 50, 12};
  for (const bool latest : {false, true}) {
    const batch one = temporal_sampler(plain, {.fan_outs = {7, 3}, .latest = latest}, times).sample(seeds, of_seeds, 5);
    const graphs_batch b = graphs_temporal_sampler(g, {.fan_outs = {7, 3}, .latest = latest})
                               .by_time(cites, times)
                               .sample(paper, seeds, of_seeds, 5);
    EXPECT_EQ(b.vertices(paper), one.vertices);
    EXPECT_EQ(b.edges(cites), one.edges);
    EXPECT_EQ(b.of_set("paper").roots, one.roots);
    EXPECT_EQ(b.of_set("paper").offsets, one.vertex_offsets);
    EXPECT_EQ(b.graph.relation(cites).edge_identity(), one.graph.edge_identity());
  }
}

TEST(graphs_temporal_sampler, takes_the_latest_or_any) {
  const academia all;
  const ids seeds = {0, 1, 2, 3};
  const std::vector<double> times = {20, 30, 25, 10};
  const graphs_batch last =
      timed(all, {.of = {fan_outs(writes, {2}), fan_outs(cites, {3})}, .latest = true}).sample(paper, seeds, times, 3);
  expect_sound(last, all.g);
  const adjacency in = last.graph.relation(writes).in_edges(), large = all.g.relation(writes).in_edges();
  const auto& of_edge = all.of_writes.values();
  std::int64_t taken = 0;
  for (std::int64_t v = 0; v < 4; ++v) {
    double oldest = times[at(v)];
    for (auto k = in.begin(v); k < in.end(v); ++k) oldest = std::min(oldest, of_edge(last.edges(writes)[at(k)]));
    std::int64_t later = 0;  // edges between the oldest one that was taken and the seed's time
    for (auto k = large.begin(seeds[at(v)]); k < large.end(seeds[at(v)]); ++k)
      later += of_edge(k) > oldest && of_edge(k) < times[at(v)];
    EXPECT_LE(later, in.degree(v));
    taken += in.degree(v);
  }
  EXPECT_GT(taken, 4);
  EXPECT_EQ(last.graph.edges(written_by), 0);
  const auto any = timed(all, {.fan_outs = {2}});
  EXPECT_NE(any.sample(paper, seeds, times, 1).edges(writes), any.sample(paper, seeds, times, 2).edges(writes));
}

TEST(graphs_temporal_sampler, gives_one_batch_in_every_thread_and_memory) {
  const academia all;
  const ids seeds = {7, 3, 3, 199};
  const std::vector<double> times = {10, 25, 40, 30};
  const auto sampler = timed(all, {.fan_outs = {4, 3}});
  const graphs_batch first = sampler.sample(paper, seeds, times, 77);
  graphs_batch other, used = sampler.sample(author, ids{7, 8, 9}, std::vector<double>{1, 2, 3}, 1);
  std::thread thread([&] { sampler.sample_into(other, paper, seeds, times, 77); });
  sampler.sample_into(used, paper, seeds, times, 77);
  thread.join();
  for (const graphs_batch* b : {&other, &used}) {
    EXPECT_EQ(b->edges(writes), first.edges(writes));
    EXPECT_EQ(b->of_set("author").roots, first.of_set("author").roots);
  }
  for (std::uint64_t number = 0; number < 40; ++number) sampler.sample_into(used, paper, seeds, times, number);
  const auto before = test::allocations();
  for (std::uint64_t number = 0; number < 40; ++number) sampler.sample_into(used, paper, seeds, times, number);
  EXPECT_EQ(test::allocations(), before);
  graphs_sampler(all.g, {.fan_outs = {2}}).sample_into(used, paper, ids{1}, 1);
  EXPECT_TRUE(used.of_set("paper").roots.empty());
}

TEST(graphs_temporal_sampler, says_what_is_wrong) {
  const academia all;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto s = timed(all, {.fan_outs = {2}});
  graphs_batch b = s.sample(paper, ids{1}, std::vector<double>{30}, 1);
  expect_error([&] { s.sample_into(b, paper, ids{0, 1}, std::vector<double>{5}, 1); }, {"1 times for 2 seeds"});
  EXPECT_TRUE(b.sets.empty());
  expect_error([&] { s.sample(paper, ids{0}, std::vector<double>{nan}, 1); }, {"time of seed 0 is NaN"});
  expect_error([&] { s.sample(paper, ids{200}, std::vector<double>{1}, 1); }, {"seed 0 is vertex 200 of 'paper'"});
  expect_error([&] { s.sample(venue, ids{0}, std::vector<double>{1}, 1); },
               {"seed 0 is vertex 0 of 'venue'", "[0, 0)"});
  expect_error([&] { timed(all, {.fan_outs = {-3}}); }, {"graphs_temporal_sampler: fan-out -3 of hop 1"});
  expect_error([&] { timed(all, {.of = {{"likes", {1}}}}); }, {"'likes', which the graphs do not have"});
  expect_error([&] { timed(all, {.fan_outs = {1}}).by_time(writes, all.of_cites); }, {"(900,)", "700 edges"});
  const auto of_reverse = all.g.edge_values(written_by, moments(700, 1));
  expect_error([&] { timed(all, {.fan_outs = {1}}).by_time(writes, of_reverse); }, {"another"});
  expect_error([&] { timed(all, {}).by_time(cites, all.g.edge_values(cites, tensor<double>::full({900}, nan))); },
               {"relation 'cites'", "the time of edge 0 is NaN"});
  expect_error([&] { temporal_sampler(all.g, {}, all.of_cites); }, {"several kinds", "graphs_temporal_sampler"});
}

TEST(graphs_temporal_sampler, takes_graphs_of_nothing) {
  graphs g;
  g.add_vertices(author, 0).add_vertices(paper, 2).add_edges(writes, {}, {});
  const graphs_temporal_sampler none(g, {.fan_outs = {2, 2}});
  const graphs_batch b = none.sample(paper, ids{1, 1}, std::vector<double>{1, 2}, 1);
  expect_sound(b, g);
  EXPECT_EQ(b.vertices(paper), (ids{1, 1}));
  EXPECT_EQ(none.sample(author, ids(), std::vector<double>(), 1).seeds, 0);
  graphs alone;
  alone.add_vertices(paper, 2);
  EXPECT_EQ(
      graphs_temporal_sampler(alone, {.fan_outs = {2, 2}}).sample(paper, ids{0}, std::vector<double>{1}, 1).hops(), 2);
}

// ---- layers ----

edge_values<float> weights_of(const graphs& g, const auto& relation, std::int64_t modulus) {
  auto t = tensor<float>::for_overwrite({g.edges(relation)});
  for (std::int64_t e = 0; e < t.size(); ++e) t(e) = static_cast<float>(e % modulus);
  return g.edge_values(relation, t);
}

TEST(graphs_layer_sampler, gives_of_one_relation_the_batch_of_the_plain_sampler) {
  const graph plain = drawn_graph(200, 3000, 7);
  graphs g;
  g.add_vertices(paper, 200).add_edges(cites, plain);
  const auto w = weights_of(g, cites, 5);
  const ids seeds = {1, 2, 3, 4, 5, 6};
  const batch one = layer_sampler(plain, {20, 10}, w).sample(seeds, 3);
  const graphs_batch b = graphs_layer_sampler(g, {.draws = {20, 10}}).by_weight(cites, w).sample(paper, seeds, 3);
  expect_sound(b, g);
  EXPECT_EQ(b.vertices(paper), one.vertices);
  EXPECT_EQ(b.edges(cites), one.edges);
  EXPECT_EQ(b.of_relation("cites").edge_weights, one.edge_weights);
  EXPECT_EQ(b.graph.relation(cites).edge_identity(), one.graph.edge_identity());
  EXPECT_EQ(b.weights(cites).values().size(), one.graph.edges());
}

/// Two relations from one set share its draws, and of each the sum has the mean of the sum over all neighbours.
TEST(graphs_layer_sampler, gives_sums_over_all_neighbours_of_each_relation_on_the_average) {
  graphs g;
  g.add_vertices(author, 40).add_vertices(paper, 60);
  g.add_edges(writes, drawn_ids(300, 40, 5), drawn_ids(300, 60, 6))
      .add_edges(reviews, drawn_ids(200, 40, 9), drawn_ids(200, 60, 10));
  g.add_edges(cites, drawn_graph(60, 500, 6));
  const ids seeds = {0, 30, 59};
  const auto of_reviews = weights_of(g, reviews, 4);
  const auto sampler =
      graphs_layer_sampler(g, {.draws = {12}, .of = {draws(author, {9})}}).by_weight(reviews, of_reviews);
  const auto x = [](std::int32_t u) { return 1 + static_cast<double>(u % 7); };
  constexpr int rounds = 20000;
  const char* relations[] = {"writes", "reviews", "cites"};
  double sum[3][3]{}, squares[3][3]{}, exact[3][3]{};
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 0; i < 3; ++i) {
      const adjacency in = g.relation(relations[r]).in_edges();
      for (auto k = in.begin(seeds[i]); k < in.end(seeds[i]); ++k)
        exact[r][i] +=
            (r == 1 ? static_cast<double>(of_reviews.values()(k)) : 1.0 / static_cast<double>(in.degree(seeds[i]))) *
            x(in.neighbour(k));
    }
  graphs_batch b;
  for (int round = 0; round < rounds; ++round) {
    sampler.sample_into(b, paper, seeds, static_cast<std::uint64_t>(round));
    if (round == 0) expect_sound(b, g);
    EXPECT_LE(b.graph.vertices(author), 9);
    EXPECT_LE(b.graph.vertices(paper), 3 + 12);
    for (std::size_t r = 0; r < 3; ++r) {
      const adjacency in = b.graph.relation(relations[r]).in_edges();
      const ids& of = r == 2 ? b.vertices(paper) : b.vertices(author);
      const std::vector<float>& w = b.of_relation(relations[r]).edge_weights;
      for (std::size_t i = 0; i < 3; ++i) {
        double s = 0;
        for (auto k = in.begin(static_cast<std::int64_t>(i)); k < in.end(static_cast<std::int64_t>(i)); ++k)
          s += static_cast<double>(w[at(k)]) * x(of[at(in.neighbour(k))]);
        sum[r][i] += s;
        squares[r][i] += s * s;
      }
    }
  }
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 0; i < 3; ++i) {
      const double mean = sum[r][i] / rounds, variance = squares[r][i] / rounds - mean * mean;
      EXPECT_LT(std::abs(mean - exact[r][i]), 5 * std::sqrt(variance / rounds)) << r << ' ' << i;
      EXPECT_GT(variance, 0);
    }
}

TEST(graphs_layer_sampler, takes_all_edges_of_what_it_drew) {
  const academia all;
  const graphs_layer_sampler sampler(all.g, {.draws = {15, 10, 5}, .of = {draws(author, {6, 0, 5})}});
  const graphs_batch b = sampler.sample(paper, ids{1, 2, 3, 199}, 3);
  expect_sound(b, all.g);
  EXPECT_EQ(b.hops(), 3);
  for (const char* relation : {"writes", "cites"}) {  // of the first hop
    const graphs_batch::relation_rows& rows = b.of_relation(relation);
    const adjacency in = b.graph.relation(relation).in_edges(), large = all.g.relation(relation).in_edges();
    const ids& of = b.of_set(relation == std::string_view("writes") ? "author" : "paper").vertices;
    std::set<std::int32_t> drawn;
    for (std::int64_t k = 0; k < rows.offsets[1]; ++k) drawn.insert(of[at(in.neighbour(k))]);
    std::int64_t edges = 0;
    for (const std::int32_t v : {1, 2, 3, 199})
      for (auto k = large.begin(v); k < large.end(v); ++k) edges += drawn.count(large.neighbour(k)) > 0;
    EXPECT_EQ(edges, rows.offsets[1]);
    EXPECT_GT(edges, 0);
  }
  EXPECT_EQ(b.of_relation("writes").offsets[2], b.of_relation("writes").offsets[1]);  // no authors in the second hop
  EXPECT_EQ(b.of_set("author").offsets[3], b.of_set("author").offsets[2]);

  graphs_batch again;
  std::thread([&] { sampler.sample_into(again, paper, ids{1, 2, 3, 199}, 3); }).join();
  EXPECT_EQ(again.edges(cites), b.edges(cites));
  EXPECT_EQ(again.of_relation("cites").edge_weights, b.of_relation("cites").edge_weights);
  const ids two = {1, 2};
  for (std::uint64_t number = 0; number < 40; ++number) sampler.sample_into(again, paper, two, number);
  const auto before = test::allocations();
  for (std::uint64_t number = 0; number < 40; ++number) sampler.sample_into(again, paper, two, number);
  EXPECT_EQ(test::allocations(), before);
  graphs_sampler(all.g, {.fan_outs = {2}}).sample_into(again, paper, ids{1}, 1);
  EXPECT_TRUE(again.of_relation("cites").edge_weights.empty());
}

TEST(graphs_layer_sampler, says_what_is_wrong_and_takes_graphs_of_nothing) {
  const academia all;
  const auto of = [&](graphs_layer_options options) { return graphs_layer_sampler(all.g, options); };
  expect_error([&] { of({.draws = {3, -1}}); }, {"graphs_layer_sampler: -1 draws in hop 2"});
  expect_error([&] { of({.of = {draws(author, {-2})}}); }, {"-2 draws of vertex set 'author' in hop 1"});
  constexpr std::int64_t many = std::int64_t{1} << 31;
  expect_error([&] { of({.draws = {3, many}}); }, {"graphs_layer_sampler: 2147483648 draws in hop 2", "2147483647"});
  expect_error([&] { layer_sampler(drawn_graph(9, 20, 1), {many}); }, {"layer_sampler: 2147483648 draws in hop 1"});
  expect_error([&] { of({.of = {{"book", {2}}}}); }, {"draws of vertex set 'book', which the graphs do not have"});
  expect_error([&] { of({.of = {draws(paper, {2}), draws(paper, {3})}}); }, {"'paper' are given twice"});
  expect_error([&] { of({.draws = {2}, .of = {draws(paper, {2, 3})}}); }, {"'paper' are of 2 hops, others of 1"});
  auto w = tensor<float>::full({900}, 1);
  w(3) = -1;
  expect_error([&] { of({.draws = {2}}).by_weight(cites, all.g.edge_values(cites, w)); }, {"weight of edge 3 is -1"});
  expect_error([&] { of({.draws = {2}}).sample(paper, ids{4, 4}, 1); }, {"both vertex 4 of 'paper'"});
  expect_error([&] { layer_sampler(all.g, {2}); }, {"several kinds", "graphs_layer_sampler"});
  const graphs_batch none =
      of({.draws = {4, 4}}).by_weight(cites, all.g.edge_values(cites, tensor<float>({900}))).sample(paper, ids{1}, 1);
  expect_sound(none, all.g);
  EXPECT_EQ(none.graph.edges(cites), 0);
  EXPECT_EQ(of({.draws = {0}}).sample(paper, ids{1}, 1).graph.edges(writes), 0);
  EXPECT_EQ(of({.draws = {3}}).sample(venue, ids(), 1).graph.vertices(author), 0);
  EXPECT_EQ(of({}).sample(paper, ids{1}, 1).hops(), 0);
}

// ---- rows in blocks ----

std::int64_t bytes_of(const graphs_batch& b) {
  return 100 * b.graph.vertices(paper) + 40 * b.graph.vertices(author) + 32 * b.graph.edges(writes) +
         28 * b.graph.edges(cites) + 28 * b.graph.edges(reviews);
}

TEST(graphs_row_blocks, fit_into_their_limit_and_have_every_edge_once) {
  const academia all;
  const graphs_block_limit limit{.bytes = 20'000,
                                 .vertex_bytes = {vertex_bytes(paper, 100), vertex_bytes(author, 40)},
                                 .edge_bytes = {edge_bytes(writes, 32)}};
  const graphs_row_blocks blocks(all.g, paper, limit);
  EXPECT_GT(blocks.count(), 3);
  graphs_batch b;
  std::vector<std::int64_t> of_writes, of_cites;
  for (std::int64_t i = 0; i < blocks.count(); ++i) {
    blocks.block(i, b);
    expect_sound(b, all.g);
    EXPECT_EQ(b.seeds, blocks.first_row(i + 1) - blocks.first_row(i));
    for (std::int64_t v = 0; v < b.seeds; ++v) EXPECT_EQ(b.vertices(paper)[at(v)], blocks.first_row(i) + v);
    EXPECT_LE(bytes_of(b), limit.bytes);
    for (const std::int64_t e : b.edges(writes)) of_writes.push_back(e);
    for (const std::int64_t e : b.edges(cites)) of_cites.push_back(e);
    EXPECT_EQ(b.graph.edges(written_by), 0);
    if (i + 1 == blocks.count()) break;
    ids with_one_more(b.vertices(paper).begin(), b.vertices(paper).begin() + b.seeds);  // the next row has no room
    with_one_more.push_back(static_cast<std::int32_t>(blocks.first_row(i + 1)));
    EXPECT_GT(bytes_of(graphs_sampler(all.g, {.fan_outs = {all_neighbours}}).sample(paper, with_one_more, 1)),
              limit.bytes);
  }
  EXPECT_EQ(blocks.first_row(blocks.count()), 200);
  expect_error([&] { blocks.first_row(-1); }, {"graphs_row_blocks: no block -1"});
  std::sort(of_writes.begin(), of_writes.end()), std::sort(of_cites.begin(), of_cites.end());
  for (std::int64_t e = 0; e < 700; ++e) ASSERT_EQ(of_writes[at(e)], e);
  for (std::int64_t e = 0; e < 900; ++e) ASSERT_EQ(of_cites[at(e)], e);
  EXPECT_EQ(of_writes.size() + of_cites.size(), 1600u);
  EXPECT_EQ(graphs_row_blocks(all.g, venue, {}).count(), 0);
}

TEST(graphs_row_blocks, are_of_one_relation_those_of_the_plain_graph) {
  const graph plain = drawn_graph(400, 2400, 8);
  graphs g;
  g.add_vertices(paper, 400).add_edges(cites, plain);
  const row_blocks one(plain, {.bytes = 40'000, .vertex_bytes = 72});
  const graphs_row_blocks blocks(g, paper, {.bytes = 40'000, .vertex_bytes = {vertex_bytes(paper, 72)}});
  ASSERT_EQ(blocks.count(), one.count());
  for (std::int64_t i = 0; i <= one.count(); ++i) EXPECT_EQ(blocks.first_row(i), one.first_row(i));
}

TEST(graphs_row_blocks, say_what_is_wrong) {
  const academia all;
  const auto of = [&](graphs_block_limit limit) { return graphs_row_blocks(all.g, paper, limit); };
  expect_error([&] { of({.bytes = 0}); }, {"graphs_row_blocks: blocks of 0 bytes"});
  expect_error([&] { of({.vertex_bytes = {vertex_bytes(author, -1)}}); }, {"-1 a vertex"});
  expect_error([&] { of({.edge_bytes = {edge_bytes(cites, -2)}}); }, {"-2 an edge"});
  expect_error(
      [&] {
        of({.edge_bytes = {{"likes", 2}}});
      },
      {"bytes of relation 'likes', which the graphs do not have"});
  expect_error(
      [&] {
        of({.vertex_bytes = {vertex_bytes(paper, 1), vertex_bytes(paper, 2)}});
      },
      {"'paper' are given twice"});
  expect_error([&] { graphs_row_blocks(all.g, "book", {}); }, {"vertex set 'book', which the graphs do not have"});
  const std::int64_t edges = all.g.relation(writes).in_edges().degree(0) + all.g.relation(cites).in_edges().degree(0);
  expect_error([&] { of({.bytes = 100}); }, {"vertex 0 takes " + std::to_string(28 * edges) + " bytes with its " +
                                             std::to_string(edges) + " in-edges"});
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::vector<bytes_by_name> huge = {edge_bytes(cites, most / 2)}, vast = {vertex_bytes(author, most / 70 + 1)};
  expect_error([&] { of({.bytes = most, .edge_bytes = huge}); }, {"graphs_row_blocks: ", "9223372036854775807 bytes"});
  expect_error([&] { of({.vertex_bytes = vast}); }, {"9223372036854775807 bytes"});
  expect_error([&] { row_blocks(drawn_graph(9, 20, 1), {.vertex_bytes = most}); },
               {"row_blocks: ", "9223372036854775807"});
  EXPECT_EQ(of({.bytes = most, .vertex_bytes = {vertex_bytes(author, most / 70 - 1000)}}).count(), 1);
  graphs_batch b;
  expect_error([&] { of({}).block(1, b); }, {"no block 1", "there are 1"});
  expect_error([&] { row_blocks(all.g, {}); }, {"several kinds", "graphs_row_blocks"});
}

// ---- what has no meaning over several kinds ----

TEST(samplers, of_subgraphs_and_parts_take_one_kind_of_vertices) {
  const academia all;
  for (const auto& refused : std::initializer_list<std::function<void()>>{
           [&] { subgraph_sampler::by_walks(all.g, 3, 2); }, [&] { subgraph_sampler::by_vertices(all.g, 3); },
           [&] { subgraph_sampler::by_edges(all.g.relation(writes), 3); }, [&] { subgraph(all.g, ids()); },
           [&] { subgraph(all.g.relation(writes), ids{1}); },
           [&] { cluster_sampler(all.g, tensor<std::int32_t>({0})); }})
    expect_error(refused, {"several kinds of vertices", "graphs_sampler"});
}

}  // namespace
}  // namespace stg
