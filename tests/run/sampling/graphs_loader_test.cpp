// test: draft sampling
// Batches of several kinds made ahead: that each is what it would be alone, with its rows, that a loader stops, fails
// and goes on, and what it holds.
#include "../expect_error.hpp"         // expect_error
#include "../support/counted_new.hpp"  // new_calls
#include "../support/kinds.hpp"        // author, paper, small
#include "support.hpp"                 // drawn_graph

#include <stg/base/error.hpp>                        // error
#include <stg/sampling/graphs_layer_sampler.hpp>     // graphs_layer_sampler
#include <stg/sampling/graphs_link_sampler.hpp>      // graphs_link_sampler
#include <stg/sampling/graphs_loader.hpp>            // graphs_loader
#include <stg/sampling/graphs_temporal_sampler.hpp>  // graphs_temporal_sampler
#include <stg/sampling/graphs_union.hpp>             // batch_graphs

#include <algorithm>  // sort
#include <atomic>     // atomic
#include <cmath>      // INFINITY
#include <limits>     // numeric_limits
#include <numeric>    // iota

namespace stg {
namespace {

using kinds::author, kinds::paper, kinds::writes, kinds::cites;
using test::expect_error;

graphs academia() {
  graphs g;
  g.add_vertices(author, 400).add_vertices(paper, 400);
  g.add_edges(cites, test::drawn_graph(400, 4000, 1));
  std::vector<std::int64_t> from, into;
  for (std::int64_t e = 0; e < 1500; ++e) from.push_back(e * 7 % 400), into.push_back(e * e % 400);
  return g.add_edges(writes, from, into);
}
graphs_sampler two_hops(const graphs& g) { return {g, {.fan_outs = {5, 3}}}; }
std::vector<std::int32_t> first(std::int32_t n) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(n));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}
tensor<float> numbered_rows(std::int64_t n) {
  tensor<float> rows({n, 2});
  for (std::int64_t i = 0; i < n; ++i) rows(i, 0) = static_cast<float>(i), rows(i, 1) = 1;
  return rows;
}

/// What an epoch is, as numbers.
std::vector<std::int64_t> print_of(graphs_loader& l, std::int64_t epoch) {
  std::vector<std::int64_t> all;
  for (const loaded_graphs& b : l.epoch(epoch)) {
    all.push_back(b.epoch), all.push_back(b.index), all.push_back(b.seeds);
    for (const auto& s : b.sets) all.insert(all.end(), s.vertices.begin(), s.vertices.end());
    for (const auto& r : b.relations) all.insert(all.end(), r.edges.begin(), r.edges.end());
  }
  return all;
}

TEST(graphs_loader, gives_the_same_batches_however_many_threads_make_them) {
  const graphs g = academia();
  graphs_loader alone(two_hops(g), paper, first(300), {.batch_size = 37, .seed = 5, .threads = 0});
  for (const int threads : {1, 2, 3, 7}) {
    graphs_loader many(two_hops(g), paper, first(300), {.batch_size = 37, .seed = 5, .ahead = 20, .threads = threads});
    for (const std::int64_t epoch : {0, 1, 7, 0}) EXPECT_EQ(print_of(many, epoch), print_of(alone, epoch)) << epoch;
  }
  EXPECT_NE(print_of(alone, 0), print_of(alone, 1));
}

/// Of the batches of other samplers, with seeds alone, and with what a function knows of each, such as its time.
TEST(graphs_loader, takes_the_batches_of_other_samplers) {
  const graphs g = academia();
  tensor<double> times({1500});
  for (std::int64_t e = 0; e < 1500; ++e) times(e) = static_cast<double>(e * 11 % 97);
  const auto timed = graphs_temporal_sampler(g, {.fan_outs = {5, 3}}).by_time(writes, g.edge_values(writes, times));
  const auto make = [&](graphs_batch& to, std::span<const std::int32_t> papers, std::uint64_t number) {
    std::vector<double> of_each;
    for (const std::int32_t p : papers) of_each.push_back(p % 90);
    timed.sample_into(to, paper, papers, of_each, number);
  };
  const graphs_link_sampler links(two_hops(g), writes, {.negatives = 2});  // seeds of two sets
  const auto make_links = [&](graphs_batch& to, std::span<const std::int32_t> edges, std::uint64_t number) {
    links.sample_into(to, edges, number);
  };
  std::vector<std::int64_t> prints[3];
  for (const int threads : {0, 1, 2, 3, 7}) {
    const loader_options options{.batch_size = 37, .seed = 5, .ahead = threads + 1, .threads = threads, .blocks = true};
    graphs_loader by_layers(graphs_layer_sampler(g, {.draws = {9, 9}}), paper, first(300), options);
    graphs_loader by_time(g, 300, make, options), by_links(g, 300, make_links, options);
    graphs_loader* const all[] = {&by_layers, &by_time, &by_links};
    for (std::size_t k = 0; k < 3; ++k)
      if (const auto print = print_of(*all[k], 1); threads == 0) prints[k] = print;
      else EXPECT_EQ(print, prints[k]) << k << " by " << threads;
    for (const loaded_graphs& b : by_layers.epoch(2))
      EXPECT_EQ(b.weights(writes).values().size(), b.graph.edges(writes));
    for (const loaded_graphs& b : by_time.epoch(2)) EXPECT_EQ(b.blocks().seeds(), b.seeds);
    for (const loaded_graphs& b : by_links.epoch(2)) EXPECT_EQ(b.seed_pairs().edges(writes), 3 * b.true_pairs);
  }
  EXPECT_NE(prints[0], prints[1]);
  EXPECT_NE(prints[0], prints[2]);
}

/// Sets without vertices, relations without edges, seeds that nothing leads to, and more asked for than there is.
TEST(graphs_loader, takes_graphs_with_little_in_them) {
  constexpr auto venue = vertex_set<"venue">;
  constexpr auto praises = relation<"praises", author, paper>;
  constexpr auto shows = relation<"shows", venue, paper>;
  graphs g;
  g.add_vertices(author, 3).add_vertices(paper, 9).add_vertices(venue, 0);
  g.add_edges(writes, {0, 1}, {8, 8}).add_edges(praises, {}, {}).add_edges(shows, {}, {});
  const auto timed = graphs_temporal_sampler(g, {.fan_outs = {50, 50}})
                         .by_time(writes, g.edge_values(writes, tensor<double>::from({2}, {-INFINITY, INFINITY})))
                         .by_time(praises, g.edge_values(praises, tensor<double>({0})));
  const auto make = [&](graphs_batch& to, std::span<const std::int32_t> papers, std::uint64_t number) {
    timed.sample_into(to, paper, papers, std::vector<double>(papers.size(), INFINITY), number);
  };
  for (const int threads : {0, 3}) {
    const loader_options options{.batch_size = 4, .shuffle = false, .threads = threads, .blocks = true};
    graphs_loader plain(graphs_sampler(g, {.fan_outs = {50, 50}}), paper, first(9), options);
    graphs_loader again(graphs_sampler(g, {.fan_outs = {50}, .with_replacement = true}), paper, first(9), options);
    graphs_loader layers(graphs_layer_sampler(g, {.draws = {50, 50}}), paper, first(9), options);
    graphs_loader by_time(g, 9, make, options);
    const std::int64_t edges[] = {2, 50, 2, 1};  // in all batches; of the moments one is before any other
    std::size_t k = 0;
    for (graphs_loader* const l : {&plain, &again, &layers, &by_time}) {
      const auto of_venues = l->rows(venue, tensor<float>({0, 3}));
      const auto of_papers = l->rows(paper, numbered_rows(9));
      const auto of_praise = l->edges(praises, g.edge_values(praises, tensor<float>({0})));
      std::int64_t taken = 0, seeds = 0;
      for (const loaded_graphs& b : l->epoch(0)) {
        EXPECT_EQ(b[of_venues].shape(), (dimensions{0, 3}));
        EXPECT_EQ(b[of_praise].values().size(), 0);
        EXPECT_EQ(b[of_papers](0, 0), static_cast<float>(seeds));
        EXPECT_EQ(b.blocks().seeds(), b.seeds);
        taken += b.graph.edges(writes), seeds += b.seeds;
      }
      EXPECT_EQ(seeds, 9) << k;
      EXPECT_EQ(taken, edges[k]) << k << " by " << threads;
      ++k;
    }
    graphs_loader of_nothing(graphs_sampler(g, {.fan_outs = {5}}), venue, {}, options);
    for (const loaded_graphs& b : of_nothing.epoch(3)) ADD_FAILURE() << b.index;
  }
}

TEST(graphs_loader, brings_rows_of_sets_and_relations) {
  const graphs g = academia();
  const auto X = numbered_rows(400);
  tensor<float> per_edge({1500});
  for (std::int64_t e = 0; e < 1500; ++e) per_edge(e) = static_cast<float>(e);
  const auto S = g.edge_values(writes, per_edge);
  for (const int threads : {0, 2}) {
    graphs_loader l(two_hops(g), paper, first(50), {.batch_size = 16, .threads = threads});
    const auto of_papers = l.rows(paper, X);
    const auto of_authors = l.rows(author, numbered_rows(400));
    const auto thin = l.rows(author, sparse(X));
    const auto of_edges = l.edges(writes, S);
    const auto made = l.rows<float>(author, {2}, [](std::span<const std::int32_t> vertices, tensor<float>& to) {
      for (std::size_t i = 0; i < vertices.size(); ++i)
        to(static_cast<std::int64_t>(i), 1) = static_cast<float>(vertices[i]);
    });
    std::vector<std::int32_t> seen;
    for (const loaded_graphs& b : l.epoch(0)) {
      const auto& papers = b.vertices(paper);
      seen.insert(seen.end(), papers.begin(), papers.begin() + b.seeds);
      ASSERT_EQ(b.known.shape(), dimensions{std::ssize(papers)});
      for (std::int64_t v = 0; v < std::ssize(papers); ++v) {
        EXPECT_EQ(b.known(v), v < b.seeds);
        EXPECT_EQ(b[of_papers](v, 0), static_cast<float>(papers[static_cast<std::size_t>(v)]));
      }
      const auto& authors = b.vertices(author);
      ASSERT_EQ(b[thin].shape()[0], std::ssize(authors));
      for (std::int64_t v = 0; v < std::ssize(authors); ++v) {
        EXPECT_EQ(b[of_authors](v, 0), static_cast<float>(authors[static_cast<std::size_t>(v)]));
        EXPECT_EQ(b[made](v, 1), static_cast<float>(authors[static_cast<std::size_t>(v)]));
      }
      const auto& edges = b.edges(writes);
      for (std::int64_t e = 0; e < std::ssize(edges); ++e)
        EXPECT_EQ(b[of_edges].values()(e), S.values()(edges[static_cast<std::size_t>(e)]));
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(seen, first(50));
  }
}

TEST(graphs_loader, stops_at_any_moment) {
  const graphs g = academia();
  for (int taken = 0; taken < 5; ++taken) {
    graphs_loader l(two_hops(g), paper, first(300), {.batch_size = 10, .ahead = 3, .threads = 2});
    const auto whole = print_of(l, 2);
    int n = 0;
    if (taken > 0)
      for (const loaded_graphs& b : l.epoch(0)) {
        EXPECT_EQ(b.index, n);
        if (++n == taken) break;
      }
    EXPECT_EQ(print_of(l, 2), whole);
    for (const loaded_graphs& b : l.epoch(1)) {
      EXPECT_EQ(b.epoch, 1);
      break;
    }
  }
}

TEST(graphs_loader, raises_what_a_thread_threw_where_its_batch_is_taken) {
  const graphs g = academia();
  for (const int threads : {0, 1, 3}) {
    std::atomic<bool> fails{true};
    graphs_loader l(two_hops(g), paper, first(100), {.batch_size = 10, .shuffle = false, .threads = threads});
    const auto X = l.rows<float>(paper, {1}, [&](std::span<const std::int32_t> vertices, tensor<float>&) {
      if (fails && vertices[0] == 20) throw error("paper 20 is bad");
    });
    int taken = 0;
    const auto take_all = [&] {
      for (const loaded_graphs& b : l.epoch(0)) taken += b.index == taken && b[X].size() > 0;
    };
    expect_error(take_all, {"paper 20 is bad"});
    EXPECT_EQ(taken, 2);
    expect_error(take_all, {"paper 20 is bad"});
    fails = false, taken = 0;
    take_all();
    EXPECT_EQ(taken, 10);
  }
  graphs_loader wrong(two_hops(g), paper, {1, 2, 400, 4}, {.batch_size = 2, .shuffle = false});
  expect_error([&] { print_of(wrong, 0); }, {"seed 0 is vertex 400 of 'paper'"});
}

TEST(graphs_loader, allocates_nothing_once_it_has_seen_the_largest_batch) {
  const graphs g = academia();
  for (const int threads : {0, 2}) {
    graphs_loader l(two_hops(g), paper, first(300), {.batch_size = 50, .seed = 9, .threads = threads, .blocks = true});
    const auto X = l.rows(paper, numbered_rows(400));
    const auto S = l.edges(writes, g.edge_values(writes, tensor<float>({1500})));
    double sum = 0;
    const auto allocated_by_epochs = [&](std::int64_t from) {
      const std::int64_t before = test::new_calls + static_cast<std::int64_t>(tensor_bytes_allocated());
      for (std::int64_t e = from; e < from + 6; ++e)
        for (const loaded_graphs& b : l.epoch(e)) {
          sum += static_cast<double>(b[X](0, 1) + b[S].values()(0));
          EXPECT_EQ(b.blocks().seeds(), b.seeds);
        }
      return test::new_calls + static_cast<std::int64_t>(tensor_bytes_allocated()) - before;
    };
    // Which thread has made its largest batch is a matter of chance, so this waits until both have.
    std::int64_t from = 0, last = -1;
    for (; from < 600 && last != 0; from += 6) last = allocated_by_epochs(from);
    EXPECT_EQ(last, 0) << threads;
    EXPECT_GT(sum, 0);
  }
}

/// Each batch of the graphs of a union is what batch_graphs makes of them.
TEST(graphs_loader, makes_batches_of_whole_graphs) {
  constexpr auto atom = vertex_set<"atom">;
  constexpr auto molecule = vertex_set<"molecule">;
  constexpr auto bond = relation<"bond", atom, atom>;
  constexpr auto part_of = relation<"part of", atom, molecule>;
  std::vector<graph> molecules;
  for (unsigned i = 0; i < 12; ++i) molecules.push_back(test::drawn_graph(5 + i, 12, i));
  const graphs_union all = batch_graphs(molecules, bond, part_of);
  graphs_loader l(graphs_sampler(all.graph, {.fan_outs = {all_neighbours, all_neighbours}}), molecule, first(12),
                  {.batch_size = 5, .seed = 3});
  int batches = 0;
  for (const loaded_graphs& b : l.epoch(0)) {
    std::vector<graph> these;
    for (std::int64_t i = 0; i < b.seeds; ++i)
      these.push_back(molecules[static_cast<std::size_t>(b.vertices(molecule)[static_cast<std::size_t>(i)])]);
    const graphs_union alone = batch_graphs(these, bond, part_of);
    EXPECT_EQ(b.graph.relation(part_of).edge_list(), alone.graph.relation(part_of).edge_list());
    EXPECT_EQ(b.graph.relation(bond).edge_identity(), alone.graph.relation(bond).edge_identity());
    ++batches;
  }
  EXPECT_EQ(batches, 3);
}

TEST(graphs_loader, says_what_is_wrong) {
  const graphs g = academia();
  expect_error([&] { graphs_loader(two_hops(g), paper, {1}, {.batch_size = 0}); }, {"batches of 0 seeds"});
  expect_error([&] { graphs_loader(two_hops(g), "venue", {1}, {}); }, {"no vertex set 'venue'"});
  graphs_loader nothing(two_hops(g), paper, {}, {});
  EXPECT_EQ(nothing.batches(), 0);
  for (const loaded_graphs& b : nothing.epoch(0)) ADD_FAILURE() << b.index;
  graphs_loader l(two_hops(g), paper, {1}, {});
  expect_error([&] { l.epoch(-1); }, {"epoch -1"});
  graphs_loader of_three(two_hops(g), paper, {1, 2, 3}, {.batch_size = 1});
  expect_error([&] { of_three.epoch(std::numeric_limits<std::int64_t>::max()); },
               {"epoch 9223372036854775807 of 3 batches"});
  expect_error([&] { l.rows(paper, tensor<float>({99, 2})); }, {"(99, 2)", "'paper' of 400 vertices"});
  expect_error([&] { l.edges(writes, academia().add_self_loops(cites).edge_values(cites, tensor<float>({4400}))); },
               {"edge"});
  for (const loaded_graphs& b : l.epoch(0)) EXPECT_EQ(b.seeds, 1);
  expect_error([&] { l.rows(paper, tensor<float>({400, 2})); }, {"asked for after the first epoch"});
}

}  // namespace
}  // namespace stg
