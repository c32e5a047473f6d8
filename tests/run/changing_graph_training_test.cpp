// test: kernels 0, counted
// Training of scans whose steps have a graph each, with all steps kept and with checkpoints: the same bits from both
// stores and on any number of threads, in memory that is foretold, and nothing allocated after the first epoch.
#include "support/changing_graphs.hpp"    // loss, random_steps
#include "support/count_allocations.hpp"  // allocations
#include "support/hubs.hpp"               // keep_threads

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // min
#include <cmath>      // isfinite
#include <vector>     // vector

namespace stg::changing {
namespace {

constexpr auto K = parameter<"K", f64, 6, 3>;

/// Scores are kept by request, so that steps stack values of their edges, from whose softmax on the gradient goes back.
constexpr auto attention = [](auto v) {
  auto errors = std::get<1>(scan<"T">(
      v,
      [](auto v, auto state) {
        auto e = v.in_edges();
        auto scores = saved(sum(tanh(matmul(concat<axis<0>>(e(f), e.src(state)), K)), axis<0>));
        auto n = tanh(sum(softmax(scores) * e.src(state)) + v(state));
        return next(n).gives(mean(square(sum(n, axis<0>) - v(y)), all_vertices));
      },
      v(h)));
  return mean(stacked(errors), axis<0>);
};

/// Blocks of steps, of both stores: what is given where all is kept, in memory that peak_bytes foretells. call: of a
/// step and a sequence.
template <const auto& Loss, class Call>
void expect_same_with_checkpoints(const std::vector<snapshot_edges>& steps, std::int64_t V, const Call& call,
                                  std::vector<extent_size> extents) {
  const auto T = static_cast<std::int64_t>(steps.size());
  auto resident = sequence_of(V, steps, snapshot_store::resident);
  extents.push_back(sized<"T">(T));
  sizes of = resident.sizes();
  of.extents = extents;
  set_threads(1);
  const std::int64_t whole_bytes = peak_bytes<Loss>(of).training;
  auto whole = value_and_grad<Loss>();
  const auto expected = call(whole, resident);
  EXPECT_EQ(whole.bytes(), whole_bytes);
  std::int64_t least = whole_bytes;
  for (const std::int64_t every : {1, 2, 3, 5, 40}) {
    auto step = value_and_grad<Loss>();
    step.checkpoint({.every = every});
    for (const int threads : {7, 3, 2, 1})  // the last of which memory is counted for
      for (const snapshot_store store : stores) {
        set_threads(threads);
        auto graphs = sequence_of(V, steps, store);
        EXPECT_TRUE(same_bits(call(step, graphs), expected)) << every << " steps, " << threads << " threads";
        EXPECT_TRUE(same_bits(call(step, graphs), expected)) << every << " steps, " << threads << " threads, again";
      }
    of.keep = {.every = every};
    EXPECT_EQ(step.bytes(), peak_bytes<Loss>(of).training) << every;
    least = std::min(least, step.bytes());
  }
  EXPECT_LT(least, whole_bytes);
  auto step = value_and_grad<Loss>();
  for (const std::int64_t limit : {(least + whole_bytes) / 2, whole_bytes}) {
    step.checkpoint({.within = limit});
    EXPECT_TRUE(same_bits(call(step, resident), expected)) << limit << " bytes";
    EXPECT_LE(step.bytes(), limit);
    of.keep = {.within = limit};
    EXPECT_EQ(step.bytes(), peak_bytes<Loss>(of).training) << limit;
  }
  EXPECT_EQ(step.bytes(), whole_bytes);
}

TEST(changing_graphs, have_the_same_bits_from_both_stores_and_any_number_of_threads) {
  constexpr std::int64_t V = 3000, T = 4;
  auto steps = random_steps(T, V, 20000, 11);
  steps[1].src.resize(60000, 5), steps[1].dst.resize(60000, 2), steps[1].weights.resize(60000, 0.01);  // a hub
  const test::keep_threads keep;
  auto step = value_and_grad<loss, h, W, U, f>();
  set_threads(1);
  auto resident = sequence_of(V, steps, snapshot_store::resident);
  const inputs given = inputs_of(T, V, resident.edges());
  const trained first = trained_once(step, resident, given);
  for (const int n : {1, 2, 3, 7})
    for (const snapshot_store store : stores) {
      set_threads(n);
      auto graphs = sequence_of(V, steps, store);
      EXPECT_TRUE(same_bits(trained_once(step, graphs, given), first)) << n << " threads";
      EXPECT_TRUE(same_bits(trained_once(step, graphs, given), first)) << n << " threads, again";
    }
}

TEST(changing_graphs, take_the_memory_that_is_foretold_and_allocate_in_the_first_epoch) {
  constexpr std::int64_t V = 300, T = 7;
  auto graphs = sequence_of(V, random_steps(T, V, 2000, 5), snapshot_store::changes);
  const inputs i = inputs_of(T, V, graphs.edges());
  const auto target = drawn({T, V}, 8);
  const auto feature = graphs.edge_steps(i.feature);
  auto step = value_and_grad<loss>();
  const auto epoch = [&] {
    return step(graphs, x = i.in, y = target, f = feature, w = graphs.weights(), h = i.start, W = i.weights,
                U = i.layers, P = i.products)
        .loss;
  };
  epoch();
  const std::uint64_t before = test::allocations();
  epoch();
  const auto last = epoch();
  std::int64_t seen = 0;
  const auto count = [&](const auto&, std::int64_t) { ++seen; };
  const auto many = step.run(3, count, graphs, x = i.in, y = target, f = feature, w = graphs.weights(), h = i.start,
                             W = i.weights, U = i.layers, P = i.products);
  EXPECT_EQ(test::allocations(), before);
  EXPECT_EQ(seen, 3);
  EXPECT_TRUE(std::isfinite(last) && std::isfinite(many.loss));
  sizes same = graphs.sizes();
  EXPECT_LT(same.all_edges, T * same.edges);  // rows of edges are counted, not steps times those of the largest
  same.extents = {sized<"T">(T), sized<"L">(2)};
  EXPECT_EQ(peak_bytes<loss>(same).training, step.bytes());
}

TEST(changing_graphs, have_the_same_bits_with_checkpoints) {
  constexpr std::int64_t V = 300, T = 20;
  auto steps = random_steps(T, V, 1500, 11);
  steps[4].src.resize(2500, 5), steps[4].dst.resize(2500, 2), steps[4].weights.resize(2500, 0.01);  // a hub
  const test::keep_threads keep;
  const inputs given = inputs_of(T, V, sequence_of(V, steps, snapshot_store::resident).edges());
  expect_same_with_checkpoints<loss>(
      steps, V, [&](auto& step, graph_sequence& graphs) { return trained_once(step, graphs, given); }, {sized<"L">(2)});
  const auto target = drawn({T, V}, 8), scores = drawn({6, 3}, 12);
  expect_same_with_checkpoints<attention>(
      steps, V,
      [&](auto& step, graph_sequence& graphs) {
        auto now = step(graphs, y = target, f = graphs.edge_steps(given.feature), h = given.start, K = scores);
        return trained{
            now.loss, now.gradients[h].clone(), now.gradients[K].clone(), {}, now.gradients[f].values().clone()};
      },
      {});
}

TEST(changing_graphs, allocate_nothing_after_the_first_epoch_with_checkpoints) {
  constexpr std::int64_t V = 300, T = 7;
  const test::keep_threads keep;
  auto graphs = sequence_of(V, random_steps(T, V, 2000, 5), snapshot_store::changes);
  const inputs i = inputs_of(T, V, graphs.edges());
  const auto target = drawn({T, V}, 8), scores = drawn({6, 3}, 12);
  const auto feature = graphs.edge_steps(i.feature);
  auto step = value_and_grad<attention>();
  for (const checkpoints& kept : {checkpoints{.every = 1}, checkpoints{.every = 3}}) {
    step.checkpoint(kept);
    const auto epoch = [&] { return step(graphs, y = target, f = feature, h = i.start, K = scores).loss; };
    epoch();
    const std::uint64_t before = test::allocations();
    epoch();
    EXPECT_TRUE(std::isfinite(epoch()));
    EXPECT_EQ(test::allocations(), before);
  }
}

}  // namespace
}  // namespace stg::changing
