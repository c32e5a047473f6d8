// test: draft sampling
// Graphs of several kinds sampled by time: what is taken, and how often.
#include "../expect_error.hpp"               // expect_error
#include "../support/count_allocations.hpp"  // allocations
#include "academia.hpp"                      // academia, expect_sound

#include <stg/sampling/graphs_temporal_sampler.hpp>  // graphs_temporal_sampler
#include <stg/sampling/temporal_sampler.hpp>         // temporal_sampler

#include <algorithm>  // min
#include <limits>     // numeric_limits
#include <thread>     // thread

namespace stg {
namespace {

using test::academia, test::at, test::author, test::cites, test::drawn_graph, test::expect_error, test::expect_sound,
    test::moments, test::paper, test::venue, test::writes, test::written_by;
using ids = std::vector<std::int32_t>;

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

}  // namespace
}  // namespace stg
