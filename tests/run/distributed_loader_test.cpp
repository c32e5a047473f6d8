// test: draft ranks
// Sampled training on ranks: batches, rows and parameters are those of one rank, and nothing hangs.
#include "support/on_ranks.hpp"  // error_of

#include "expect_error.hpp"      // expect_error
#include "sampling/support.hpp"  // drawn, drawn_graph

#include <stg/base/keep_mask.hpp>                  // seed_of_step
#include <stg/distributed/cut.hpp>                 // cut
#include <stg/distributed/distributed_loader.hpp>  // distributed_loader
#include <stg/distributed/mean_over_ranks.hpp>     // mean_over_ranks
#include <stg/distributed/thread_ranks.hpp>        // run_ranks
#include <stg/sampling/loader.hpp>                 // loader
#include <stg/sampling/neighbour_sampler.hpp>      // neighbour_sampler
#include <stg/stg.hpp>                             // the language

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <algorithm>   // equal, find
#include <chrono>      // milliseconds
#include <functional>  // function
#include <map>         // map
#include <mutex>       // lock_guard, mutex
#include <numeric>     // iota
#include <string>      // string
#include <thread>      // sleep_for
#include <tuple>       // tuple
#include <vector>      // vector

namespace stg {
namespace {

using test::drawn, test::drawn_graph, test::expect_error;
using testing::HasSubstr;

constexpr auto x = vertex_feature<"x", f64, 5>;
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto U = parameter<"U", f64, 5, 6>;
constexpr auto V = parameter<"V", f64, 5, 6>;
constexpr auto P = parameter<"P", f64, 6, 3>;
constexpr auto Q = parameter<"Q", f64, 6, 3>;

constexpr auto sage = [](auto v) {
  auto h = relu(nn::sage_conv(v, v(x), U, V));
  return cross_entropy(nn::sage_conv(v, dropout(h, 0.3), P, Q), v(label));
};

constexpr std::int64_t n = 300;
const distributed_loader_options usual{.batch_size = 32, .seed = 5};

struct task {
  graph on = drawn_graph(n, 2400, 1);
  cut parts = cut::by_ranges(on, 8);
  tensor<double> X = drawn({n, 5}, 2);
  tensor<std::int32_t> Y = [] {
    tensor<std::int32_t> labels({n});
    for (std::int64_t v = 0; v < n; ++v) labels(v) = static_cast<std::int32_t>(v * v % 3);
    return labels;
  }();
  std::vector<std::int32_t> train = [] {
    std::vector<std::int32_t> seeds(131);  // four batches of 32 and one of 3
    std::iota(seeds.begin(), seeds.end(), 40);
    return seeds;
  }();

  neighbour_sampler sampler(bool all = false) const {
    return {on, {.fan_outs = all ? std::vector<std::int64_t>(2, all_neighbours) : std::vector<std::int64_t>{5, 3}}};
  }
};

using place = std::tuple<std::int64_t, std::int64_t, int>;  // epoch, index, micro batch
using ids = std::vector<std::int64_t>;

TEST(distributed_loader, has_the_micro_batches_of_one_rank_and_the_seeds_of_a_loader) {
  const task t;
  std::map<place, ids> one;
  for (const int ranks : {1, 2, 3, 8}) {
    std::map<place, ids> found;
    std::mutex lock;
    run_ranks(ranks, [&](communicator& here) {
      const vertex_owners owners(t.parts, here);
      distributed_loader loader(owners, t.sampler(), t.train, usual);
      ASSERT_EQ(loader.batches(), 5);
      for (const std::int64_t epoch : {0, 1, 4}) {
        std::int64_t batches = 0;
        for (const batch_share& batch : loader.epoch(epoch)) {
          EXPECT_EQ(batch.index, batches++);
          EXPECT_EQ(batch.seeds, batch.index == 4 ? 3 : 32);
          for (const micro_batch& b : batch) {
            EXPECT_EQ(b.number, seed_of_step(5, epoch * 5 + batch.index));
            ids all(b.vertices.begin(), b.vertices.begin() + b.seeds);
            all.push_back(-1);
            all.insert(all.end(), b.vertices.begin(), b.vertices.end());
            all.insert(all.end(), b.edges.begin(), b.edges.end());
            const std::lock_guard hold(lock);
            EXPECT_TRUE(found.emplace(place(b.epoch, b.index, b.micro), all).second);
          }
        }
        EXPECT_EQ(batches, 5);
      }
    });
    if (ranks == 1) one = found;
    EXPECT_EQ(found, one) << ranks << " ranks";
  }
  stg::loader whole(t.sampler(), t.train, {.batch_size = 32, .seed = 5});
  for (const std::int64_t epoch : {0, 1, 4})
    for (const loaded_batch& b : whole.epoch(epoch)) {
      ids seeds;
      for (const auto& [at, all] : one)
        if (std::get<0>(at) == epoch && std::get<1>(at) == b.index)
          seeds.insert(seeds.end(), all.begin(), std::find(all.begin(), all.end(), -1));
      EXPECT_TRUE(std::equal(seeds.begin(), seeds.end(), b.vertices.begin(), b.vertices.begin() + b.seeds));
    }
}

/// Goes through epochs, and compares the rows of batches with those of all vertices.
void expect_rows(const task& t, communicator& here, const distributed_loader_options& how) {
  const vertex_owners owners(t.parts, here);
  distributed_loader loader(owners, t.sampler(), t.train, how);
  const auto X = loader.own_rows(gather(t.X, owners.own_vertices()));
  const auto everywhere = loader.rows(t.X);
  const auto Y = loader.own_rows(gather(t.Y, owners.own_vertices()));
  for (const std::int64_t epoch : {0, 1})
    for (const batch_share& batch : loader.epoch(epoch))
      for (const micro_batch& b : batch) {
        ASSERT_EQ(b[X].extent(0), b.graph.vertices());
        for (std::int64_t v = 0; v < b.graph.vertices(); ++v) {
          const std::int32_t id = b.vertices[static_cast<std::size_t>(v)];
          for (std::int64_t f = 0; f < 5; ++f) ASSERT_EQ(b[X](v, f), t.X(id, f));
          for (std::int64_t f = 0; f < 5; ++f) ASSERT_EQ(b[everywhere](v, f), t.X(id, f));
          ASSERT_EQ(b[Y](v), t.Y(id));
        }
      }
}

TEST(distributed_loader, brings_rows_from_their_owners) {
  const task t;
  for (const int ranks : {1, 2, 4})
    for (const std::int64_t cache : {0, 2000, 1 << 20})
      for (const auto& [ahead, threads] : {std::pair(0, 0), std::pair(1, 1), std::pair(7, 3)}) {
        auto how = usual;
        how.cache_bytes = cache;
        how.ahead = ahead;
        how.threads = threads;
        how.blocks = ranks == 2;
        run_ranks(ranks, [&](communicator& here) { expect_rows(t, here, how); }, {.reorder = threads == 3 ? 3u : 0u});
      }
}

struct outcome {
  std::vector<double> numbers{}, losses{};
  bool operator==(const outcome&) const = default;
};
template <class Set> std::vector<double> numbers_of(const Set& set) {
  std::vector<double> all;
  for_each(set, [&](std::string_view, const auto& w) { all.insert(all.end(), w.begin(), w.end()); });
  return all;
}

/// Two epochs on one of the ranks.
outcome trained(const task& t, communicator& here, bool all_of_them, const distributed_loader_options& how) {
  const vertex_owners owners(t.parts, here);
  distributed_loader loader(owners, t.sampler(all_of_them), t.train, how);
  const auto X = loader.own_rows(gather(t.X, owners.own_vertices()));
  const auto Y = loader.rows(t.Y);
  auto params = parameters<sage>();
  initialize(params, 1);
  sgd optimizer(params, {.learning_rate = 0.1, .momentum = 0.9});
  auto step = value_and_grad<sage>();
  auto mean = mean_over_ranks(params, loader);
  outcome result;
  for (const std::int64_t epoch : {0, 1})
    for (const batch_share& batch : loader.epoch(epoch)) {
      for (const micro_batch& b : batch) {
        step.seed(b.number);
        mean.add(b, step(b.blocks(), x = b[X], label = b[Y], params));
      }
      optimizer.step(mean.all_reduce());
      result.losses.push_back(mean.loss());
    }
  result.numbers = numbers_of(params);
  return result;
}

/// The same by an ordinary loader, each batch undivided.
outcome trained_undivided(const task& t) {
  stg::loader loader(t.sampler(true), t.train, {.batch_size = 32, .seed = 5});
  const auto X = loader.rows(t.X);
  const auto Y = loader.rows(t.Y);
  auto params = parameters<sage>();
  initialize(params, 1);
  sgd optimizer(params, {.learning_rate = 0.1, .momentum = 0.9});
  auto step = value_and_grad<sage>();
  outcome result;
  for (const std::int64_t epoch : {0, 1})
    for (const loaded_batch& b : loader.epoch(epoch)) {
      step.seed(seed_of_step(5, epoch * 5 + b.index));
      auto now = step(b.blocks(), x = b[X], label = b[Y], params);
      optimizer.step(now.gradients);
      result.losses.push_back(now.loss);
    }
  result.numbers = numbers_of(params);
  return result;
}

TEST(distributed_loader, trains_to_the_bits_of_one_rank) {
  const task t;
  for (const int micro_batches : {8, 5}) {
    auto how = usual;
    how.micro_batches = micro_batches;
    how.cache_bytes = 1000;
    outcome one;
    for (const int ranks : {1, 2, 3, 4, 5}) {
      std::vector<outcome> of(static_cast<std::size_t>(ranks));
      run_ranks(ranks,
                [&](communicator& here) { of[static_cast<std::size_t>(here.rank())] = trained(t, here, false, how); },
                {.reorder = ranks == 3 ? 5u : 0u});
      if (ranks == 1) one = of[0];
      for (const outcome& mine : of) EXPECT_EQ(mine, one) << ranks << " ranks, " << micro_batches << " micro batches";
    }
    EXPECT_EQ(one.losses.size(), 10u);
  }
}

TEST(distributed_loader, trains_as_undivided_batches_do) {
  const task t;
  const outcome expected = trained_undivided(t);
  outcome found;
  run_ranks(2, [&](communicator& here) {
    const outcome mine = trained(t, here, true, usual);
    if (here.rank() == 0) found = mine;
  });
  ASSERT_EQ(found.numbers.size(), expected.numbers.size());
  for (std::size_t i = 0; i < found.numbers.size(); ++i) EXPECT_NEAR(found.numbers[i], expected.numbers[i], 1e-12);
  for (std::size_t i = 0; i < found.losses.size(); ++i) EXPECT_NEAR(found.losses[i], expected.losses[i], 1e-12);
}

TEST(distributed_loader, is_left_and_taken_up_anywhere) {
  const task t;
  run_ranks(3, [&](communicator& here) {
    const vertex_owners owners(t.parts, here);
    const auto own = gather(t.X, owners.own_vertices());
    for (const int threads : {0, 2}) {
      auto how = usual;
      how.threads = threads;
      distributed_loader loader(owners, t.sampler(), t.train, how);
      const auto X = loader.own_rows(own);
      for (const std::int64_t epoch : {3, 0, 0, 7}) {
        std::int64_t left = 3;
        for (const batch_share& batch : loader.epoch(epoch)) {
          for (const micro_batch& b : batch)
            for (std::int64_t v = 0; v < b.graph.vertices(); ++v)
              ASSERT_EQ(b[X](v, 0), t.X(b.vertices[static_cast<std::size_t>(v)], 0));
          if (--left == 0) break;
        }
      }
    }  // with messages on their way
    EXPECT_TRUE(all_say(here, true));
  });
}

/// Three batches are asked for when the first is taken: each count is followed by vertices, and by rows of the other.
TEST(distributed_loader, leaves_no_message_behind) {
  const task t;
  run_ranks(2, [&](communicator& here) {
    const vertex_owners owners(t.parts, here);
    {
      distributed_loader loader(owners, t.sampler(), t.train, usual);
      loader.own_rows(gather(t.X, owners.own_vertices()));
      for (const std::int64_t epoch : {0, 3}) (void)loader.epoch(epoch).begin();
    }
    const std::int64_t agreed = 1, cache = 1;
    EXPECT_EQ(here.sent_messages(), agreed + cache + 2 * 3 * 3);
  });
}

/// Of two ranks: a count, vertices and rows for each batch, and nothing for rows in the cache.
TEST(distributed_loader, sends_one_message_of_rows_for_a_batch) {
  const task t;
  for (const bool all_kept : {false, true})
    run_ranks(2, [&](communicator& here) {
      const vertex_owners owners(t.parts, here);
      auto how = usual;
      how.cache_bytes = all_kept ? 1 << 20 : 0;
      distributed_loader loader(owners, t.sampler(), t.train, how);
      loader.own_rows(gather(t.X, owners.own_vertices()));
      loader.own_rows(gather(t.Y, owners.own_vertices()));
      for (const batch_share& batch : loader.epoch(0)) static_cast<void>(batch);
      const std::int64_t before = here.sent_messages(), bytes = here.sent_bytes();
      for (const batch_share& batch : loader.epoch(1)) static_cast<void>(batch);
      EXPECT_EQ(here.sent_messages() - before, all_kept ? 5 : 15);
      if (all_kept) {
        EXPECT_EQ(here.sent_bytes() - bytes, 5 * 8);
      }
    });
}

TEST(distributed_loader, a_failing_rank_ends_all) {
  const task t;
  std::int64_t failed = 0;
  for (std::int64_t call = 0;; call += 7) {
    const std::string said = test::error_of(3, [&](communicator& here) { (void)trained(t, here, false, usual); },
                                            {.failing_rank = 1, .failing_call = call});
    if (said.empty()) break;
    EXPECT_THAT(said, HasSubstr("rank 1 fails at its call"));
    ++failed;
  }
  EXPECT_GT(failed, 20);
}

TEST(distributed_loader, a_rank_that_takes_other_batches_is_told) {
  const task t;
  const auto work = [&](communicator& here) {
    const vertex_owners owners(t.parts, here);
    distributed_loader loader(owners, t.sampler(), t.train, usual);
    loader.own_rows(gather(t.X, owners.own_vertices()));
    std::int64_t batches = 0;
    for (const batch_share& batch : loader.epoch(0)) {
      static_cast<void>(batch);
      if (here.rank() == 1 && ++batches == 2) break;
    }
    if (here.rank() == 1) std::this_thread::sleep_for(std::chrono::milliseconds(400));
  };
  EXPECT_THAT(test::error_of(2, work, {.patience = std::chrono::milliseconds(200)}),
              HasSubstr("rank 1 has returned from its work while rank 0 waited"));
}

TEST(distributed_loader, ranks_that_load_differently_are_told) {
  const task t;
  const auto said_of = [&](const std::function<void(distributed_loader_options&, std::vector<std::int32_t>&)>& change) {
    std::vector<std::string> said(2);
    run_ranks(2, [&](communicator& here) {
      const vertex_owners owners(t.parts, here);
      auto how = usual;
      auto seeds = t.train;
      if (here.rank() == 1) change(how, seeds);
      distributed_loader loader(owners, t.sampler(), seeds, how);
      try {
        (void)loader.epoch(0).begin();
      } catch (const error& e) {
        said[static_cast<std::size_t>(here.rank())] = e.what();
      }
    });
    EXPECT_EQ(said[0], said[1]);
    return said[0];
  };
  EXPECT_THAT(said_of([](auto& how, auto&) { how.seed = 6; }), HasSubstr("ranks load batches with different {.seed"));
  EXPECT_THAT(said_of([](auto& how, auto&) { how.batch_size = 6; }), HasSubstr("different {.batch_size"));
  EXPECT_THAT(said_of([](auto& how, auto&) { how.micro_batches = 6; }), HasSubstr("different {.micro_batches"));
  EXPECT_THAT(said_of([](auto& how, auto&) { how.shuffle = false; }), HasSubstr("different {.shuffle"));
  EXPECT_THAT(said_of([](auto& how, auto&) { how.ahead = 1; }), HasSubstr("different {.ahead"));
  EXPECT_THAT(said_of([](auto&, auto& seeds) { std::swap(seeds[0], seeds[1]); }), HasSubstr("different seeds"));
}

TEST(distributed_loader, refuses) {
  const task t;
  run_ranks(2, [&](communicator& here) {
    const vertex_owners owners(t.parts, here);
    const auto made = [&](const distributed_loader_options& how) {
      return distributed_loader(owners, t.sampler(), t.train, how);
    };
    expect_error([&] { made({.micro_batches = 1}); },
                 {"1 micro batches on 2 ranks; give {.micro_batches = 2} or more"});
    expect_error([&] { made({.batch_size = 0}); }, {"batches of 0 seeds"});
    expect_error([&] { made({.cache_bytes = -1}); }, {"a cache of -1 bytes"});
    const graph other = drawn_graph(20, 50, 1);
    expect_error([&] { distributed_loader(owners, neighbour_sampler(other, {.fan_outs = {2}}), {1}, {}); },
                 {"a sampler of 20 vertices beside a cut of 300; sample the graph that is cut"});
    auto loader = made(usual);
    expect_error([&] { (void)loader.own_rows(t.X); }, {"rows of shape (300, 5) for", "own vertices"});
    expect_error([&] { (void)loader.rows(tensor<double>({7, 2})); }, {"rows of shape (7, 2) for 300 vertices"});
    expect_error([&] { (void)loader.epoch(-1); }, {"epoch -1"});

    const auto Y = loader.rows(t.Y);
    const auto X = loader.rows(t.X);
    auto params = parameters<sage>();
    initialize(params, 1);
    auto mean = mean_over_ranks(params, loader);
    auto step = value_and_grad<sage>();
    const auto epoch = loader.epoch(0).begin();
    const micro_batch& b = *epoch->begin();
    const auto now = step(b.blocks(), x = b[X], label = b[Y], params);
    mean.add(b, now);
    expect_error([&] { mean.add(b, now); }, {"is added behind micro batch", "call all_reduce after each batch"});
    expect_error([&] { (void)loader.rows(t.X); }, {"ask before it"});
  });
  expect_error([&] { run_ranks(9, [&](communicator& here) { vertex_owners(t.parts, here); }); },
               {"vertex_owners: 9 ranks of a graph that is cut into 8 parts"});
}

}  // namespace
}  // namespace stg
