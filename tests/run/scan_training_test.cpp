// test: kernels 0
// Scans as a user calls them: the same step by step by hand, any number of steps, the same bits for any number of
// threads, memory as foretold, nothing allocated after the first step, and what is bound wrongly.
#include "support/count_allocations.hpp"  // allocations
#include "support/families.hpp"           // mixed, power_law
#include "support/hubs.hpp"               // keep_threads, thread_counts

#include <stg/stg.hpp>  // scan

#include "expect_error.hpp"  // expect_error

#include <gtest/gtest.h>  // TEST

#include <cmath>    // abs
#include <cstring>  // memcmp
#include <string>   // to_string

namespace stg {
namespace {

constexpr auto x = over<"T">(vertex_feature<"x", f64, 3>);
constexpr auto y = over<"T">(vertex_feature<"y", f64>);
constexpr auto w = over<"T">(edge_feature<"w", f64>);
constexpr auto xs = vertex_feature<"xs", f64, 3>;  // of one step
constexpr auto ws = edge_feature<"ws", f64>;
constexpr auto h = trainable(vertex_feature<"h", f64, 4>);
constexpr auto W = parameter<"W", f64, 3, 4>;
constexpr auto U = parameter<"U", f64, 4, 4>;

constexpr auto cell = [](auto v, auto in, auto weight, auto state) {
  auto e = v.in_edges();
  auto gate = sigmoid(matmul(in, W) + matmul(state, U));
  return gate * state + (1.0 - gate) * tanh(matmul(in, W) + sum(weight * e.src(state)));
};
constexpr auto repeated = [](auto v) {
  auto [last, all] = scan<"T">(
      v,
      [](auto v, auto state) {
        auto n = cell(v, v(x), v.in_edges()(w), state);
        return next(n).gives(n);
      },
      v(h));
  return outputs(last, all);
};
constexpr auto once = [](auto v) { return cell(v, v(xs), v.in_edges()(ws), v(h)); };
constexpr auto loss = [](auto v) {
  auto errors = std::get<1>(scan<"T">(
      v,
      [](auto v, auto state) {
        auto n = cell(v, v(x), v.in_edges()(w), dropout(state, 0.2));
        return next(n).gives(mean(square(sum(n, axis<0>) - v(y)), all_vertices));
      },
      v(h)));
  return mean(stacked(errors), axis<0>);
};

tensor<double> drawn(const dimensions& shape, std::uint64_t seed) {
  tensor<double> t(shape);
  uniform(t, -1, 1, seed);
  return t;
}
/// The rows of step t.
tensor<double> at(const tensor<double>& all, std::int64_t t) {
  std::vector<std::int64_t> extents(all.shape().begin() + 1, all.shape().end());
  tensor<double> one{dimensions(std::span<const std::int64_t>(extents))};
  std::copy_n(all.data() + t * one.size(), one.size(), one.data());
  return one;
}
void expect_near(const tensor<double>& a, const tensor<double>& b, const std::string& what) {
  ASSERT_EQ(a.shape(), b.shape()) << what;
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-12) << what << ' ' << i;
}

TEST(scans, are_the_same_step_by_step_by_hand) {
  const graph g = test::mixed();
  const std::int64_t V = g.vertices(), E = g.edges();
  const auto start = drawn({V, 4}, 1), weights = drawn({3, 4}, 2), recurrent = drawn({4, 4}, 3);
  const auto model = compile<repeated>();
  const auto one = compile<once>();
  auto training = compile_for_training<repeated, h, W, U>();
  auto step = compile_for_training<once, h, W, U>();
  for (const std::int64_t T : {0, 1, 2, 5}) {
    SCOPED_TRACE(T);
    const auto in = drawn({T, V, 3}, 4), edge = drawn({T, E}, 5);
    const auto result = model(g, x = in, w = g.edge_steps(edge), h = start, W = weights, U = recurrent);
    tensor<double> state = start.clone();
    using tape = decltype(step)::tape;
    std::vector<tape> tapes;
    std::vector<tensor<double>> before, features;
    std::vector<edge_values<double>> weighed;
    before.reserve(8), features.reserve(8), weighed.reserve(8);
    for (std::int64_t t = 0; t < T; ++t) {
      before.push_back(state.clone());
      features.push_back(at(in, t));
      weighed.push_back(g.edge_values(at(edge, t)));
      tapes.push_back(
          step.record(g, xs = features.back(), ws = weighed.back(), h = before.back(), W = weights, U = recurrent));
      state = one(g, xs = features.back(), ws = weighed.back(), h = before.back(), W = weights, U = recurrent);
      expect_near(at(result.get<1>(), t), state, "step " + std::to_string(t));
    }
    expect_near(result.get<0>(), state, "last");

    // cotangents of the last state and of every step
    const auto d_last = drawn({V, 4}, 6), d_all = drawn({T, V, 4}, 7);
    auto recorded = training.record(g, x = in, w = g.edge_steps(edge), h = start, W = weights, U = recurrent);
    const auto gradients = recorded.backward(d_last, d_all);
    tensor<double> d_state = d_last.clone(), d_W({3, 4}), d_U({4, 4});
    for (std::int64_t t = T - 1; t >= 0; --t) {
      const auto given = at(d_all, t);
      for (std::int64_t i = 0; i < d_state.size(); ++i) d_state.data()[i] += given.data()[i];
      const auto of_step = tapes[static_cast<std::size_t>(t)].backward(d_state);
      d_state = of_step[h].clone();
      for (std::int64_t i = 0; i < d_W.size(); ++i) d_W.data()[i] += of_step[W].data()[i];
      for (std::int64_t i = 0; i < d_U.size(); ++i) d_U.data()[i] += of_step[U].data()[i];
    }
    expect_near(gradients[h], d_state, "gradient of the first state");
    expect_near(gradients[W], d_W, "gradient of W");
    expect_near(gradients[U], d_U, "gradient of U");
  }
}

struct trained {
  double loss;
  tensor<double> of_h, of_W;
};
trained run_once(const graph& g, std::int64_t T) {
  auto step = value_and_grad<loss, h, W, U>();
  step.seed(7);
  const auto in = drawn({T, g.vertices(), 3}, 4), target = drawn({T, g.vertices()}, 8), edge = drawn({T, g.edges()}, 5);
  const auto start = drawn({g.vertices(), 4}, 1), weights = drawn({3, 4}, 2), recurrent = drawn({4, 4}, 3);
  auto now = step(g, x = in, y = target, w = g.edge_steps(edge), h = start, W = weights, U = recurrent);
  return {now.loss, now.gradients[h].clone(), now.gradients[W].clone()};
}
bool same_bits(const tensor<double>& a, const tensor<double>& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

TEST(scans, have_the_same_bits_for_any_number_of_threads) {
  const graph g = test::power_law(3000, 20000, 3);
  const test::keep_threads keep;
  set_threads(1);
  const trained first = run_once(g, 6);
  for (const int n : {2, 3, 7}) {
    set_threads(n);
    const trained again = run_once(g, 6);
    EXPECT_EQ(again.loss, first.loss) << n;
    EXPECT_TRUE(same_bits(again.of_h, first.of_h) && same_bits(again.of_W, first.of_W)) << n << " threads";
  }
}

TEST(scans, take_the_memory_that_is_foretold_and_allocate_once) {
  const graph g = test::power_law(300, 2000, 3);
  const std::int64_t T = 9;
  auto step = value_and_grad<loss>();
  const auto in = drawn({T, g.vertices(), 3}, 4), target = drawn({T, g.vertices()}, 8);
  const auto edge = g.edge_steps(drawn({T, g.edges()}, 5));
  const auto start = drawn({g.vertices(), 4}, 1), weights = drawn({3, 4}, 2), recurrent = drawn({4, 4}, 3);
  const auto run = [&] { return step(g, x = in, y = target, w = edge, h = start, W = weights, U = recurrent).loss; };
  run();
  const std::uint64_t before = test::allocations();
  run();
  run();
  EXPECT_EQ(test::allocations(), before);
  const sizes same{.vertices = g.vertices(), .edges = g.edges(), .extents = {sized<"T">(T)}};
  EXPECT_EQ(peak_bytes<loss>(same).training, step.bytes());
}

TEST(scans, learn) {
  const graph g = test::power_law(50, 300, 3);
  const std::int64_t T = 12;
  auto params = parameters<loss>();
  initialize(params, 3);
  adam<std::remove_cvref_t<decltype(params)>> optimizer(params, {.learning_rate = 0.05});
  auto step = value_and_grad<loss, W, U>();
  const auto in = drawn({T, g.vertices(), 3}, 4), edge_numbers = drawn({T, g.edges()}, 5);
  tensor<double> target({T, g.vertices()});
  for (std::int64_t i = 0; i < target.size(); ++i) target.data()[i] = 0.5 * in.data()[3 * i];
  const auto edge = g.edge_steps(edge_numbers);
  const tensor<double> start({g.vertices(), 4});
  double first = 0, last = 0;
  for (int k = 0; k < 60; ++k) {
    auto now = step(g, x = in, y = target, w = edge, h = start, params);
    if (k == 0) first = now.loss;
    last = now.loss;
    optimizer.step(now.gradients);
  }
  EXPECT_LT(last, 0.95 * first);
}

TEST(scans, say_what_is_bound_wrongly) {
  const graph g = test::mixed();
  const auto model = compile<repeated>();
  const auto start = drawn({5, 4}, 1), weights = drawn({3, 4}, 2), recurrent = drawn({4, 4}, 3);
  const auto edge = g.edge_steps(drawn({3, 9}, 5));
  const auto call = [&](const tensor<double>& in) {
    return model(g, x = in, w = edge, h = start, W = weights, U = recurrent);
  };
  test::expect_error([&] { call(drawn({4, 5, 3}, 4)); }, {"extent 'T' is 4 in 'x' axis 0 and 3 in 'w' axis 0"});
  test::expect_error([&] { call(drawn({3, 6, 3}, 4)); }, {"input 'x' has 6 rows in a step; the graph has 5 vertices"});
  test::expect_error(
      [&] {
        call(drawn({5, 3}, 4));
      },
      {"input 'x' has shape (5, 3); expected 3 axes: (T, vertices, 3)"});
  test::expect_error([&] { g.edge_steps(drawn({3, 8}, 5)); }, {"give (steps, edges, ...)"});
}

}  // namespace
}  // namespace stg
