// test: calls
// Embeddings on a GPU: the gradient of a table that vertices or edges pick rows from, in whole calls, on blocks and in
// scans, from stg::cuda() to gradients on the host; and the sums by themselves, at sizes that programs of tests do not
// reach.
#include "drawn.hpp"           // drawn_floats, expect_near
#include "gpu_under_test.hpp"  // on_gpu

#include "../run/support/families.hpp"  // power_law

#include <stg/sampling/gather.hpp>             // gather
#include <stg/sampling/neighbour_sampler.hpp>  // neighbour_sampler
#include <stg/stg.hpp>                         // the language

#ifndef STG_ON_DEVICE
#include "emulator/launch.hpp"  // launch, check_order

#include <stg/codegen/cuda/scatter.hpp>  // scatter_rows
#include <stg/runtime/scatter_sum.hpp>   // scatter_sum
#endif

#include <gtest/gtest.h>  // TEST

#include <cmath>    // abs
#include <cstdint>  // int32_t, int64_t
#include <cstring>  // memcmp
#include <random>   // mt19937
#include <vector>   // vector

namespace stg {
namespace {

using test::drawn_floats, test::expect_near, test::on_gpu;

struct embeddings_on_a_gpu : test::gpu_under_test {};

constexpr auto id = vertex_feature<"id", i32>;
constexpr auto sort = edge_feature<"sort", i32>;
constexpr auto goal = vertex_feature<"goal", 6>;
constexpr auto E = parameter<"E", extent<"N">, 6>;
constexpr auto R = parameter<"R", extent<"K">, 6>;

/// A row of a table for each vertex, and one for each sort of edges.
constexpr auto loss = [](auto v) {
  auto e = v.in_edges();
  auto h = E[v(id)];
  return mse(h + mean(e.src(h) * R[e(sort)]), v(goal));
};
template <const auto& F> using step_on_gpu = training_step<ref<F>, detail::trainable_entries<ref<F>>, on_gpu>;

/// Labels of which every third is `often`, and some never drawn.
tensor<std::int32_t> labels(const dimensions& shape, std::int32_t entries, std::int32_t often, unsigned seed) {
  std::mt19937 random(seed);
  tensor<std::int32_t> drawn(shape);
  for (std::int64_t k = 0; k < drawn.size(); ++k)
    drawn.data()[k] = k % 3 == 0 ? often : static_cast<std::int32_t>(random() % static_cast<unsigned>(entries));
  return drawn;
}
bool same_bits(const tensor<float>& a, const tensor<float>& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

#ifdef STG_ON_DEVICE
constexpr std::int64_t V = 60'000, N = 70'001;  // three digits of a sort, and an entry with 20,000 rows
#else
constexpr std::int64_t V = 150, N = 250;
#endif
constexpr std::int32_t K = 5;

struct data {
  graph g = test::power_law(V, 3 * V, 4);
  tensor<std::int32_t> ids = labels({V}, N, 5, 1);
  edge_values<std::int32_t> sorts = g.edge_values(labels({g.edges()}, K, 2, 2));
  tensor<float> wanted = drawn_floats({V, 6}, 3);
  decltype(parameters<loss>(sized<"N">(N), sized<"K">(K))) weights = parameters<loss>(sized<"N">(N), sized<"K">(K));
  data() { initialize(weights, 5); }
};

TEST_F(embeddings_on_a_gpu, train_as_on_the_cpu) {
  const data d;
  const graph there = d.g.to(cuda());
  const auto far = d.weights.to(cuda());
  const auto ids = d.ids.to(cuda());
  const auto sorts = d.sorts.to(cuda());
  const auto wanted = d.wanted.to(cuda());
  step_on_gpu<loss> step;
  auto near = value_and_grad<loss>(draft())(d.g, id = d.ids, sort = d.sorts, goal = d.wanted, d.weights);
  tensor<float> first;
  for (int call = 0; call < 3; ++call) {
    auto now = step(there, id = ids, sort = sorts, goal = wanted, far);
    EXPECT_NEAR(now.loss, near.loss, 1e-5 * near.loss);
    const tensor<float> of_table = now.gradients[E].to(host);
    expect_near(of_table, near.gradients[E]);
    expect_near(now.gradients[R].to(host), near.gradients[R]);
    if (call == 0) first = of_table.clone();
    EXPECT_TRUE(same_bits(of_table, first));
  }
}

TEST_F(embeddings_on_a_gpu, train_on_blocks_as_on_the_cpu) {
  const data d;
  const neighbour_sampler sampler(d.g, {.fan_outs = {3}});
  const auto far = d.weights.to(cuda());
  step_on_gpu<loss> step;
  auto here = value_and_grad<loss>(draft());
  for (const std::int32_t first : {0, 90}) {
    const batch b = sampler.sample(std::vector<std::int32_t>{first, first + 7, first + 1}, 1);
    const auto ids = gather(d.ids, b.vertices);
    const auto sorts = gather(d.sorts, b);
    const auto wanted = gather(d.wanted, b.vertices);
    const blocks near = b.blocks();
    auto on_device = step(near.to(cuda()), id = ids.to(cuda()), sort = sorts.to(cuda()), goal = wanted.to(cuda()), far);
    auto on_cpu = here(near, id = ids, sort = sorts, goal = wanted, d.weights);
    EXPECT_NEAR(on_device.loss, on_cpu.loss, 1e-5 * on_cpu.loss);
    expect_near(on_device.gradients[E].to(host), on_cpu.gradients[E]);
    expect_near(on_device.gradients[R].to(host), on_cpu.gradients[R]);
  }
}

constexpr auto words = over<"T">(vertex_feature<"words", i32>);
constexpr auto target = vertex_feature<"target", 6>;
/// A table that each step picks other rows from.
constexpr auto read_in_turn = [](auto v) {
  auto last = scan<"T">(
      v, [](auto v, auto state) { return next(tanh(0.5 * state + E[v(words)] + 0.3 * mean(v.in_edges().src(state)))); },
      0 * v(target));
  return mse(last, v(target));
};
TEST_F(embeddings_on_a_gpu, train_in_scans_as_on_the_cpu) {
  constexpr std::int64_t T = 3, rows = 100, entries = 30;
  const graph g = test::power_law(rows, 3 * rows, 4);
  const auto read = labels({T, rows}, entries, 7, 3);
  const auto wanted = drawn_floats({rows, 6}, 4);
  auto weights = parameters<read_in_turn>(sized<"N">(entries));
  initialize(weights, 5);
  step_on_gpu<read_in_turn> step;
  auto on_device = step(g.to(cuda()), words = read.to(cuda()), target = wanted.to(cuda()), weights.to(cuda()));
  auto near = value_and_grad<read_in_turn>(draft())(g, words = read, target = wanted, weights);
  EXPECT_NEAR(on_device.loss, near.loss, 1e-5 * near.loss);
  expect_near(on_device.gradients[E].to(host), near.gradients[E]);
}

#ifndef STG_ON_DEVICE
/// Kernels by the emulator, one after the other.
struct emulated_machine {
  emulator::options options;
  template <class Kernel> void launch(const Kernel& kernel, const gpu::grid& grid) const {
    emulator::launch(kernel, grid, options);
  }
};

template <class T> void check_sums(std::int64_t rows, std::int64_t entries, std::int64_t width, bool crowded) {
  SCOPED_TRACE(std::to_string(rows) + " rows of " + std::to_string(width) + " for " + std::to_string(entries));
  std::mt19937 random(7);
  std::vector<std::int32_t> index(static_cast<std::size_t>(rows));
  for (std::int32_t& at : index)  // some outside of the table
    at = static_cast<std::int32_t>(random() % static_cast<unsigned>(entries + 2)) - 1;
  if (crowded)
    for (std::size_t k = 0; k < index.size(); ++k)
      if (k % 4 != 1) index[k] = static_cast<std::int32_t>(entries / 2);
  std::vector<T> x(static_cast<std::size_t>(rows * width));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<T>(random() % 2001) / T(1000) - 1;

  std::vector<T> expected(static_cast<std::size_t>(entries * width), T(9));
  std::vector<std::byte> room(static_cast<std::size_t>(scatter_sum_scratch(rows, entries, width, sizeof(T))));
  scatter_sum(x.data(), index.data(), expected.data(), room.data(), rows, entries, width);
  const auto run = [&](const emulator::options& options) {
    std::vector<T> y(expected.size(), T(7));
    const gpu::detail::scatter_room<T> needs(nullptr, rows, entries, width);
    std::vector<std::byte> workspace(static_cast<std::size_t>(needs.bytes));
    emulated_machine on{options};
    gpu::detail::scatter_rows(on, x.data(), index.data(), y.data(), workspace.data(), rows, entries, width);
    return y;
  };
  const bool is_small = entries < 10'000;
  const std::vector<T> y = run({.schedule = 0, .checks = is_small ? emulator::checks() : emulator::checks::none()});
  const double tolerance = sizeof(T) == 4 ? 1e-6 : 1e-14;
  for (std::size_t k = 0; k < y.size(); ++k)
    ASSERT_NEAR(static_cast<double>(y[k]), static_cast<double>(expected[k]), tolerance * static_cast<double>(rows))
        << k;
  if (is_small && rows < 2000) emulator::check_order(run, 2, {.schedule = 0, .checks = emulator::checks::none()});
}

TEST(sums_by_an_index, are_those_of_the_cpu) {
  for (const std::int64_t width : {1, 4, 33}) {
    check_sums<float>(0, 3, width, false);
    check_sums<float>(1, 1, width, false);
    check_sums<float>(1100, 60, width, false);
    check_sums<double>(700, 40, width, true);
  }
  check_sums<float>(2500, 70'000, 2, false);  // three digits
  check_sums<float>(3000, 5, 3, false);       // many rows each
  check_sums<float>(4000, 100, 4, true);      // many rows of one alone
}
#endif

}  // namespace
}  // namespace stg
