// test: draft ranks, proof kernels 0
// What ranks decide together: checkpoints that any number of ranks continue, and the end of a run.
#include "temporary_folder.hpp"  // temporary_folder

#include <stg/distributed/checkpoint.hpp>         // save_checkpoint, load_checkpoint
#include <stg/distributed/cut.hpp>                // cut
#include <stg/distributed/distributed_graph.hpp>  // distributed_graph
#include <stg/distributed/thread_ranks.hpp>       // run_ranks
#include <stg/runtime/early_stopping.hpp>         // early_stopping
#include <stg/stg.hpp>                            // the language

#include <gmock/gmock.h>  // HasSubstr
#include <gtest/gtest.h>  // TEST

#include <functional>  // function
#include <random>      // mt19937
#include <string>      // string
#include <vector>      // vector

namespace stg {
namespace {

using test::temporary_folder;
using testing::HasSubstr;

constexpr auto place = trainable(vertex_feature<"place", 4>);
constexpr auto label = vertex_feature<"label", i32>;
constexpr auto W = parameter<"W", 4, 4>;
constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(dropout(mean(v.in_edges().src(v(place))), 0.2), W), v(label));
};

constexpr std::int64_t n = 60;

graph drawn() {
  std::mt19937 random(1);
  std::vector<std::int64_t> src, dst;
  for (int k = 0; k < 300; ++k) {
    src.push_back(random() % n);
    dst.push_back(random() % n);
  }
  return graph::from_edges(n, src, dst);
}
const graph& whole() {
  static const graph g = drawn();
  return g;
}
const cut& parts() {
  static const cut c = cut::by_ranges(whole(), 4);
  return c;
}

/// A run on one rank, begun with equal numbers on any number of ranks.
struct run_of_rank {
  explicit run_of_rank(communicator& here) : part(parts(), here), params(parameters<loss>(part)), optimizer(params) {
    tensor<float> all({n, 4});
    uniform(all, -1, 1, 2);
    const tensor<float> mine = part.rows(all);
    params[place].assign(mine);
    uniform(params[W], -1, 1, 3);
    tensor<std::int32_t> labels({n});
    for (std::int64_t v = 0; v < n; ++v) labels(v) = static_cast<std::int32_t>(v % 4);
    Y = part.rows(labels);
  }
  float train(int steps, std::uint64_t seed) {
    auto step = value_and_grad<loss>();
    step.seed(seed);
    return step.run(steps, optimizer, part, label = Y, params).loss;
  }

  distributed_graph part;
  decltype(parameters<loss>(std::declval<const distributed_graph&>())) params;
  adam<decltype(params)> optimizer;
  tensor<std::int32_t> Y{};
};

std::string error_of(int ranks, const std::function<void(communicator&)>& work) {
  try {
    run_ranks(ranks, work);
  } catch (const error& e) {
    return e.what();
  }
  return "";
}

TEST(distributed_checkpoint, any_number_of_ranks_continues_with_the_same_bits) {
  for (const int writing : {1, 2, 3}) {
    temporary_folder folder;
    float expected = 0;
    tensor<float> rows;
    run_ranks(writing, [&](communicator& here) {
      run_of_rank run(here);
      (void)run.train(5, 1);
      save_checkpoint(run.part, folder.file("run"), run.params, run.optimizer);
      tensor<float> all = run.part.gathered(run.params[place]);
      if (here.rank() == 0) rows = std::move(all);
      const float last = run.train(5, 2);
      if (here.rank() == 0) expected = last;
    });
    for (const int reading : {1, 2, 4})
      run_ranks(reading, [&](communicator& here) {
        run_of_rank run(here);
        load_checkpoint(run.part, folder.file("run"), run.params, run.optimizer);
        EXPECT_EQ(run.train(5, 2), expected) << writing << " wrote, " << reading << " read";
      });
    auto params = parameters<loss>(whole());
    load_checkpoint(folder.file("run"), params);  // rows in the order of the whole graph
    for (std::int64_t k = 0; k < rows.size(); ++k) EXPECT_EQ(params[place].data()[k], rows.data()[k]);
  }
}

TEST(distributed_checkpoint, ranks_that_differ_are_told) {
  temporary_folder folder;
  const auto save = [&](const std::function<void(run_of_rank&)>& change) {
    return error_of(3, [&](communicator& here) {
      run_of_rank run(here);
      if (here.rank() == 1) change(run);
      save_checkpoint(run.part, folder.file("run"), run.params, run.optimizer);
    });
  };
  EXPECT_THAT(save([](run_of_rank& run) { run.params[W](0, 0) += 1; }), HasSubstr("ranks differ in W.npy"));
  EXPECT_THAT(save([](run_of_rank& run) { run.params[place](run.part.own_vertices(), 0) += 1; }),
              HasSubstr("ranks differ in place.npy"));
  EXPECT_THAT(save([](run_of_rank& run) { run.optimizer.learning_rate(3); }),
              HasSubstr("ranks differ in adam/numbers.npy"));
  EXPECT_EQ(save([](run_of_rank&) {}), "");
}

TEST(distributed_checkpoint, an_error_of_one_rank_is_an_error_of_all) {
  temporary_folder folder;
  std::vector<std::string> said(3);
  const auto told = [&](communicator& here, const auto& work) {
    try {
      work();
    } catch (const error& e) {
      said[static_cast<std::size_t>(here.rank())] = e.what();
    }
  };
  run_ranks(3, [&](communicator& here) {
    run_of_rank run(here);
    told(here, [&] { save_checkpoint(run.part, "/proc/no/such/folder", run.params); });
  });
  EXPECT_THAT(said[0], HasSubstr("cannot be made"));
  EXPECT_THAT(said[1], HasSubstr("another rank met an error with /proc/no/such/folder"));
  EXPECT_EQ(said[1], said[2]);
  run_ranks(3, [&](communicator& here) {
    run_of_rank run(here);
    told(here, [&] { load_checkpoint(run.part, folder.file("none"), run.params); });
  });
  for (const std::string& of_rank : said) EXPECT_THAT(of_rank, HasSubstr("none"));
}

TEST(distributed_checkpoint, ranks_that_read_different_folders_are_told) {
  temporary_folder folder;
  for (const char* const name : {"a", "b"})
    run_ranks(1, [&](communicator& here) {
      run_of_rank run(here);
      (void)run.train(name[0] == 'a' ? 1 : 2, 1);
      save_checkpoint(run.part, folder.file(name), run.params);
    });
  EXPECT_THAT(error_of(2,
                       [&](communicator& here) {
                         run_of_rank run(here);
                         load_checkpoint(run.part, folder.file(here.rank() == 0 ? "a" : "b"), run.params);
                       }),
              HasSubstr("load_checkpoint: ranks differ in"));
}

TEST(distributed_checkpoint, a_rank_that_ends_a_run_ends_it_for_all) {
  std::vector<std::int64_t> steps(3);
  run_ranks(3, [&](communicator& here) {
    run_of_rank run(here);
    auto step = value_and_grad<loss>();
    const auto update = [&](auto& now, std::int64_t k) {
      run.optimizer.step(now.gradients);
      steps[static_cast<std::size_t>(here.rank())] = k;
      return here.rank() == 1 && k == 4;
    };
    (void)step.run(100, update, run.part, label = run.Y, run.params);
  });
  EXPECT_EQ(steps, (std::vector<std::int64_t>{4, 4, 4}));
}

TEST(distributed_checkpoint, early_stopping_is_decided_for_all) {
  std::vector<std::int64_t> best(3), stopped(3);
  run_ranks(3, [&](communicator& here) {
    run_of_rank run(here);
    early_stopping stopping(run.params, {.patience = 3, .ranks = &here});
    std::int64_t epoch = 0;
    while (!stopping.stop_after(here.rank() == 0 ? -epoch * (epoch < 5) : epoch)) ++epoch;  // others see another value
    const auto me = static_cast<std::size_t>(here.rank());
    best[me] = stopping.best_epoch();
    stopped[me] = epoch;
  });
  EXPECT_EQ(best, (std::vector<std::int64_t>{4, 4, 4}));
  EXPECT_EQ(stopped, (std::vector<std::int64_t>{7, 7, 7}));
}

}  // namespace
}  // namespace stg
