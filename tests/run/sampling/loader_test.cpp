// test: draft sampling
// Batches made ahead: that each is what it would be alone, that a loader stops, fails and goes on, and what it holds.
#include "../expect_error.hpp"         // expect_error
#include "../support/counted_new.hpp"  // new_calls
#include "support.hpp"                 // drawn_graph, expect_sound

#include <stg/base/error.hpp>                  // error
#include <stg/runtime/parallel.hpp>            // parallel
#include <stg/sampling/clusters.hpp>           // cluster_sampler, partition
#include <stg/sampling/loader.hpp>             // loader
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/sampling/subgraph_sampler.hpp>   // subgraph_sampler

#include <algorithm>  // sort
#include <atomic>     // atomic
#include <chrono>     // milliseconds
#include <map>        // map
#include <numeric>    // iota
#include <thread>     // sleep_for

namespace stg {
namespace {

using test::drawn_graph, test::expect_error, test::expect_sound;

std::vector<std::int32_t> first(std::int32_t n) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(n));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

neighbour_sampler two_hops(const graph& g) { return {g, {.fan_outs = {5, 3}}}; }

/// What an epoch is, as numbers.
std::vector<std::int64_t> print_of(loader& l, std::int64_t epoch) {
  std::vector<std::int64_t> all;
  for (const loaded_batch& b : l.epoch(epoch)) {
    all.push_back(b.epoch), all.push_back(b.index), all.push_back(b.seeds);
    all.insert(all.end(), b.vertices.begin(), b.vertices.end());
    all.insert(all.end(), b.edges.begin(), b.edges.end());
  }
  return all;
}

TEST(loader, gives_the_same_batches_however_many_threads_make_them) {
  const graph g = drawn_graph(400, 4000, 1);
  loader alone(two_hops(g), first(300), {.batch_size = 37, .seed = 5, .threads = 0});
  loader one(two_hops(g), first(300), {.batch_size = 37, .seed = 5, .ahead = 1, .threads = 1});
  loader many(two_hops(g), first(300),
              {.batch_size = 37, .seed = 5, .ahead = 20, .threads = 3});  // over two epochs ahead
  const auto epoch0 = print_of(alone, 0), epoch1 = print_of(alone, 1), epoch7 = print_of(alone, 7);
  for (loader* l : {&one, &many}) {
    EXPECT_EQ(print_of(*l, 0), epoch0);
    EXPECT_EQ(print_of(*l, 1), epoch1);
    EXPECT_EQ(print_of(*l, 7), epoch7);  // and any other
    EXPECT_EQ(print_of(*l, 0), epoch0);
  }
  EXPECT_NE(epoch0, epoch1);
  loader other(two_hops(g), first(300), {.batch_size = 37, .seed = 6, .threads = 0});
  EXPECT_NE(print_of(other, 0), epoch0);
}

TEST(loader, has_every_seed_once_in_an_epoch) {
  const graph g = drawn_graph(400, 4000, 1);
  for (const bool drop : {false, true})
    for (const bool shuffle : {false, true}) {
      loader l(two_hops(g), first(100), {.batch_size = 30, .shuffle = shuffle, .drop_last = drop, .seed = 2});
      EXPECT_EQ(l.batches(), drop ? 3 : 4);
      std::vector<std::int32_t> seen;
      for (const loaded_batch& b : l.epoch(3)) {
        EXPECT_EQ(b.seeds, b.index == 3 ? 10 : 30);
        seen.insert(seen.end(), b.vertices.begin(), b.vertices.begin() + b.seeds);
        expect_sound(b, g);
        EXPECT_EQ(std::count(b.known.begin(), b.known.end(), true), b.seeds);
        EXPECT_EQ(b.known.size(), b.graph.vertices());
      }
      EXPECT_EQ(seen == first(drop ? 90 : 100), !shuffle);
      std::sort(seen.begin(), seen.end());
      EXPECT_EQ(std::unique(seen.begin(), seen.end()) - seen.begin(), drop ? 90 : 100);
    }
}

TEST(loader, shuffles_into_every_order_as_often) {
  const graph g = drawn_graph(5, 10, 1);
  loader l(neighbour_sampler(g, {}), first(4), {.batch_size = 4, .seed = 3, .threads = 0});
  std::map<std::vector<std::int32_t>, double> orders;
  for (std::int64_t e = 0; e < 12000; ++e)
    for (const loaded_batch& b : l.epoch(e)) orders[b.vertices] += 1;
  ASSERT_EQ(orders.size(), 24u);
  std::vector<double> counts;
  for (const auto& [order, count] : orders) counts.push_back(count);
  EXPECT_LT(test::chi_square_excess(counts, std::vector<double>(24, 500)), 5);
}

tensor<float> numbered_rows(std::int64_t rows) {
  tensor<float> t({rows, 3});
  for (std::int64_t i = 0; i < t.size(); ++i) t.data()[i] = static_cast<float>(i);
  return t;
}

TEST(loader, brings_rows_from_tensors_functions_and_caches) {
  const graph g = drawn_graph(200, 2000, 2);
  const auto X = numbered_rows(200);
  tensor<double> w({g.edges()});
  for (std::int64_t e = 0; e < g.edges(); ++e) w(e) = static_cast<double>(e);
  const auto W = g.edge_values(w);
  std::atomic<int> asked{0};
  const auto give = [&](std::span<const std::int32_t> ids, tensor<float>& to) {
    asked += static_cast<int>(ids.size());
    ASSERT_EQ(to.shape(), (dimensions{static_cast<std::int64_t>(ids.size()), 3}));
    for (std::size_t i = 0; i < ids.size(); ++i) to.row(static_cast<std::int64_t>(i)).assign(X.row(ids[i]));
  };
  loader l(two_hops(g), first(150), {.batch_size = 40, .seed = 1, .threads = 2});
  const auto by_tensor = l.rows(X);
  const auto by_move = l.rows(X.clone());
  const auto by_function = l.rows<float>({3}, give);
  const auto by_cache = l.rows<float>({3}, give, {.rows = 60});
  EXPECT_EQ(asked, 60);
  const auto all_cached = l.rows(X.view(), {.rows = 1000});
  const auto labels = l.rows(tensor<std::int32_t>::full({200}, 7));
  const auto few = l.rows(sparse(X));
  const auto weights = l.edges(W);
  for (std::int64_t epoch = 0; epoch < 3; ++epoch)
    for (const loaded_batch& b : l.epoch(epoch)) {
      for (std::int64_t v = 0; v < b.graph.vertices(); ++v)
        for (const auto& rows : {by_tensor, by_move, by_function, by_cache, all_cached})
          for (int f = 0; f < 3; ++f) ASSERT_EQ(b[rows](v, f), X(b.vertices[static_cast<std::size_t>(v)], f));
      EXPECT_EQ(b[labels].size(), b.graph.vertices());
      const auto dense = b[few].dense();
      for (std::int64_t v = 0; v < b.graph.vertices(); ++v) ASSERT_EQ(dense(v, 1), b[by_tensor](v, 1));
      for (std::int64_t e = 0; e < b.graph.edges(); ++e)
        ASSERT_EQ(b[weights].values()(e), W.values()(b.edges[static_cast<std::size_t>(e)]));
    }
  expect_error([&] { l.rows(X); }, {"after the first epoch"});
}

TEST(loader, keeps_the_rows_that_are_reached_most) {
  // Vertex 3 has edges to all, vertex 1 to five, others one or none.
  std::vector<std::int64_t> src, dst;
  for (std::int64_t v = 0; v < 10; ++v) src.push_back(3), dst.push_back(v);
  for (std::int64_t v = 0; v < 5; ++v) src.push_back(1), dst.push_back(v);
  src.push_back(9), dst.push_back(0);
  EXPECT_EQ(detail::most_reached(graph::from_edges(10, src, dst), 3), (std::vector<std::int32_t>{1, 3, 9}));
}

TEST(loader, stops_at_any_moment) {
  const graph g = drawn_graph(400, 4000, 1);
  for (int taken = 0; taken < 6; ++taken) {
    loader l(two_hops(g), first(300), {.batch_size = 10, .ahead = 3, .threads = 2});
    const auto whole = print_of(l, 2);
    int n = 0;
    if (taken > 0)
      for (const loaded_batch& b : l.epoch(0)) {
        EXPECT_EQ(b.index, n);
        if (++n == taken) break;
      }
    EXPECT_EQ(print_of(l, 2), whole);
    for (const loaded_batch& b : l.epoch(1)) {
      EXPECT_EQ(b.epoch, 1);
      break;
    }
  }
}

TEST(loader, raises_what_a_thread_threw_where_its_batch_is_taken) {
  const graph g = drawn_graph(400, 4000, 1);
  for (const int threads : {0, 1, 3}) {
    std::atomic<bool> fails{true};
    const neighbour_sampler sampler = two_hops(g);
    loader l(g, 100,
             [&](batch& to, std::span<const std::int32_t> items, std::uint64_t number) {
               if (fails && items[0] == 20) throw error("item 20 is bad");
               sampler.sample_into(to, items, number);
             },
             {.batch_size = 10, .shuffle = false, .threads = threads});
    int taken = 0;
    expect_error(
        [&] {
          for (const loaded_batch& b : l.epoch(0)) taken += b.index == taken;
        },
        {"item 20 is bad"});
    EXPECT_EQ(taken, 2);
    expect_error(
        [&] {
          for (const loaded_batch& b : l.epoch(0)) (void)b;
        },
        {"item 20 is bad"});
    fails = false;
    taken = 0;
    for (const loaded_batch& b : l.epoch(0)) taken += b.index == taken;
    EXPECT_EQ(taken, 10);
  }
  loader wrong(two_hops(g), {1, 2, 400, 4}, {.batch_size = 2, .shuffle = false});
  expect_error([&] { print_of(wrong, 0); }, {"seed 0 is vertex 400"});
}

TEST(loader, is_never_further_ahead_than_it_is_told) {
  const graph g = drawn_graph(50, 400, 1);
  std::atomic<int> made{0};
  const neighbour_sampler sampler = two_hops(g);
  loader l(g, 50,
           [&](batch& to, std::span<const std::int32_t> items, std::uint64_t number) {
             ++made;
             sampler.sample_into(to, items, number);
           },
           {.batch_size = 1, .ahead = 3, .threads = 2});
  int taken = 0;
  for (const loaded_batch& b : l.epoch(0)) {
    ++taken;
    EXPECT_LE(made, taken + 3) << b.index;
    if (taken == 5) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_EQ(made, 8);  // and it gets that far
    }
  }
}

TEST(loader, allocates_nothing_once_it_has_seen_the_largest_batch) {
  const graph g = drawn_graph(300, 6000, 4);
  for (const int threads : {0, 2}) {
    loader l(two_hops(g), first(300), {.batch_size = 50, .seed = 9, .threads = threads, .blocks = true});
    const auto X = l.rows(numbered_rows(300));
    const auto cached = l.rows(numbered_rows(300), {.rows = 20});
    double sum = 0;
    const auto allocated_by_epochs = [&](std::int64_t from) {
      const std::int64_t before = test::new_calls + static_cast<std::int64_t>(tensor_bytes_allocated());
      for (std::int64_t e = from; e < from + 6; ++e)
        for (const loaded_batch& b : l.epoch(e)) {
          sum += static_cast<double>(b[X](0, 0) + b[cached](0, 0));
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

/// Blocks come with their batch, made by its thread, or are made when a step asks for them.
TEST(loader, makes_blocks_ahead) {
  const graph g = drawn_graph(300, 3000, 4);
  for (const int threads : {0, 2})
    for (const bool ahead : {false, true}) {
      loader l(two_hops(g), first(60), {.batch_size = 20, .threads = threads, .blocks = ahead});
      for (const loaded_batch& b : l.epoch(0)) {
        const std::int64_t before = test::new_calls;
        const blocks made = b.blocks();
        if (ahead && threads == 0) {  // others make batches meanwhile
          EXPECT_EQ(test::new_calls, before);
        }
        EXPECT_EQ(made.seeds(), b.seeds);
        EXPECT_EQ(made.whole().edge_identity(), b.graph.edge_identity());
      }
    }
}

TEST(loader, takes_samplers_of_other_seeds_and_of_none) {
  const graph g = drawn_graph(100, 900, 10);
  tensor<std::int32_t> parts({100});
  for (std::int64_t v = 0; v < 100; ++v) parts(v) = static_cast<std::int32_t>(v % 10);
  loader clusters(cluster_sampler(g, parts), first(10), {.batch_size = 3});
  std::int64_t vertices = 0;
  for (const loaded_batch& b : clusters.epoch(0)) vertices += b.seeds;
  EXPECT_EQ(vertices, 100);
  if (has_partition()) {  // METIS alone would leave some of 100 parts empty, the last among them
    loader each(cluster_sampler(g, partition(g, 100, 1)), first(100), {.batch_size = 1});
    for (const loaded_batch& b : each.epoch(0)) EXPECT_EQ(b.seeds, 1);
  }
  auto walks = loader::without_seeds(subgraph_sampler::by_walks(g, 5, 3), 7, {});
  int count = 0;
  std::vector<std::int32_t> before;
  for (const loaded_batch& b : walks.epoch(0)) {
    ++count;
    EXPECT_NE(b.vertices, before);
    before = b.vertices;
  }
  EXPECT_EQ(count, 7);
  loader nothing(two_hops(g), {}, {});
  EXPECT_EQ(nothing.batches(), 0);
  for (const loaded_batch& b : nothing.epoch(0)) ADD_FAILURE() << b.index;
}

TEST(loader, says_what_is_wrong) {
  const graph g = drawn_graph(100, 900, 10);
  expect_error([&] { loader(two_hops(g), {1}, {.batch_size = 0}); }, {"batches of 0 seeds"});
  expect_error([&] { loader(two_hops(g), {1}, {.threads = -1}); }, {"-1 threads"});
  expect_error([&] { loader(two_hops(g), {1}, {.ahead = 0}); }, {"0 batches ahead"});
  expect_error([&] { loader(std::shared_ptr<const sampler>(), {1}, {}); }, {"no sampler"});
  expect_error([&] { loader(g, -1, [](auto&&...) {}, {}); }, {"-1 items"});
  expect_error([&] { loader(g, 1, nullptr, {}); }, {"no function"});
  expect_error([&] { loader::without_seeds(two_hops(g), -3, {}); }, {"-3 batches"});
  loader l(two_hops(g), {1}, {});
  expect_error([&] { l.epoch(-1); }, {"epoch -1"});
  expect_error([&] { l.rows(tensor<float>({99, 2})); }, {"(99, 2)", "100 vertices"});
  expect_error([&] { l.rows(tensor<float>({100}), {.rows = -2}); }, {"cache of -2 rows"});
  expect_error([&] { l.rows<float>({1, 2, 3, 4, 5}, nullptr); }, {"(1, 2, 3, 4, 5)"});
  expect_error([&] { l.edges(drawn_graph(100, 900, 11).edge_values(tensor<float>({900}))); }, {"another graph"});
}

TEST(loader, gives_rows_to_those_who_asked_for_them) {
  const graph g = drawn_graph(100, 900, 10);
  loader train(two_hops(g), first(20), {.batch_size = 10}), valid(two_hops(g), first(20), {.batch_size = 10});
  const auto X = train.rows(tensor<float>::full({100, 2}, 1));
  const auto Y = train.rows(tensor<std::int32_t>::full({100}, 2));
  const auto few = train.rows(sparse(numbered_rows(100)));
  const auto weights = train.edges(g.edge_values(tensor<float>::full({900}, 4)));
  const auto of_valid = valid.rows(tensor<float>::full({100, 2}, 3));
  for (const loaded_batch& b : valid.epoch(0)) {
    EXPECT_EQ(b[of_valid](0, 0), 3);
    expect_error([&] { b[X]; }, {"rows that another loader was asked for"});
    expect_error([&] { b[Y]; }, {"another loader"});
    expect_error([&] { b[few]; }, {"another loader"});
    expect_error([&] { b[weights]; }, {"another loader"});
    expect_error([&] { b[vertex_rows<float>()]; }, {"another loader"});
  }
  loader moved = std::move(train);
  for (const loaded_batch& b : moved.epoch(0)) EXPECT_EQ(b[X](0, 0) + static_cast<float>(b[Y](0)), 3);
  expect_error([&] { loaded_batch()[X]; }, {"another loader"});
}

TEST(loader, looks_at_the_batches_of_a_function) {
  const graph small = drawn_graph(10, 20, 1), large = drawn_graph(5000, 9000, 2);
  const neighbour_sampler of_large(large, {.fan_outs = {2}});
  const auto batches_of = [&](std::int64_t seeds) {
    return loader(small, 10,
                  [&of_large, seeds](batch& to, std::span<const std::int32_t>, std::uint64_t number) {
                    of_large.sample_into(to, std::vector<std::int32_t>{4000, 1}, number);
                    to.seeds = seeds;
                  },
                  {.batch_size = 5, .threads = 0});
  };
  const auto give = [](std::span<const std::int32_t>, tensor<float>& to) { to.fill(1); };
  for (const std::int64_t cached : {0, 4}) {
    loader by_function = batches_of(2), by_tensor = batches_of(2);
    by_function.rows<float>({2}, give, {.rows = cached});
    by_tensor.rows(tensor<float>({10, 2}), {.rows = cached});
    for (loader* l : {&by_function, &by_tensor})
      expect_error([&] { l->epoch(0).begin(); }, {"vertex 0 of a batch is 4000; it must be in [0, 10)"});
  }
  loader by_edges = batches_of(2), plain = batches_of(2), negative = batches_of(-1), many = batches_of(1'000'000);
  by_edges.edges(small.edge_values(tensor<float>({20})));
  expect_error([&] { by_edges.epoch(0).begin(); }, {"it must be in [0, 20)"});
  EXPECT_EQ(plain.epoch(0).begin()->seeds, 2);
  expect_error([&] { negative.epoch(0).begin(); }, {"-1 seeds of "});
  expect_error([&] { many.epoch(0).begin(); }, {"1000000 seeds of "});
}

TEST(loader, takes_what_a_function_of_rows_writes_alone) {
  const graph g = drawn_graph(100, 900, 10);
  const auto X = tensor<float>::full({100, 2}, 7);
  for (const std::int64_t cached : {0, 50, 100})
    for (const bool alike : {false, true}) {
      loader l(two_hops(g), first(100), {.batch_size = 50, .threads = 0});
      const auto assigns = [&](std::span<const std::int32_t> v, tensor<float>& to) {
        to = alike ? gather(X, v) : tensor<float>({1, 1});
      };
      expect_error(
          [&] {
            l.rows<float>({2}, assigns, {.rows = cached});
            l.epoch(0).begin();
          },
          {"a function of rows put a tensor (", "write to.assign(...)"});
    }
}

TEST(loader, makes_batches_itself_where_there_are_no_threads) {
  const graph g = drawn_graph(100, 900, 10);
  expect_error([&] { loader(two_hops(g), {1}, {.threads = 1'000'000'000}); }, {"1000000000 threads; give 0 to"});
  expect_error([&] { loader(two_hops(g), {1}, {.ahead = 1'000'000'000}); }, {"1000000000 batches ahead; give up to"});
}

TEST(batch, made_by_hand_is_looked_at) {
  batch b;
  b.vertices = {0, 1};
  b.seeds = 3;
  expect_error([&] { b.seed_mask(); }, {"batch: 3 seeds of 2; give 0 to 2"});
  b.pair_src = b.pair_dst = {0, 1};
  b.true_pairs = -1;
  const graph g = graph::from_edges(2, {0, 1}, {1, 0});
  expect_error([&] { b.pair_targets(g); }, {"batch: -1 true pairs of 2"});
}

}  // namespace
}  // namespace stg
