// test: kernels 0
// Checkpoints: states are kept every few steps and the rest is run again. Same bits, less memory, as foretold.
#include "support/count_allocations.hpp"  // allocations
#include "support/families.hpp"           // power_law
#include "support/hubs.hpp"               // keep_threads
#include "support/scans.hpp"              // nested, in_a_row

#include <stg/stg.hpp>  // scan

#include "expect_error.hpp"  // expect_error

#include <gtest/gtest.h>  // TEST

#include <cmath>    // sqrt
#include <cstring>  // memcmp
#include <string>   // to_string

namespace stg {
namespace {

constexpr auto x = over<"T">(vertex_feature<"x", f64, 3>);
constexpr auto y = over<"T">(vertex_feature<"y", f64>);
constexpr auto h = trainable(vertex_feature<"h", f64, 4>);
constexpr auto W = parameter<"W", f64, 3, 4>;
constexpr auto U = parameter<"U", f64, 4, 4>;

/// A gated cell with dropout, which reads a value that is computed before it and one that is collected by another scan.
constexpr auto loss = [](auto v) {
  auto scale = 1.0 / (1.0 + square(sum(mean(v.in_edges().src(h)), axis<0>)));
  auto products = scan<"T">(v, [](auto v) { return matmul(v(x), W); });
  auto [last, errors] = scan<"T">(
      v,
      [=](auto v, auto state) {
        auto seen = dropout(state, 0.2);
        auto gate = sigmoid(v(products) + matmul(seen, U));
        auto n = gate * state + (1.0 - gate) * tanh(v(products) * scale + sum(v.in_edges().src(seen)) * 0.1);
        return next(n).gives(mean(square(sum(n, axis<0>) - v(y)), all_vertices));
      },
      v(h));
  return outputs(mean(stacked(errors), axis<0>) + 0.01 * mean(sum(square(last), axis<0>), all_vertices), last);
};

tensor<double> drawn(const dimensions& shape, std::uint64_t seed) {
  tensor<double> t(shape);
  uniform(t, -1, 1, seed);
  return t;
}
bool same_bits(const tensor<double>& a, const tensor<double>& b) {
  return a.shape() == b.shape() && std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.bytes())) == 0;
}

struct bound {
  std::int64_t steps;
  graph g;
  tensor<double> in, target, start, weights, recurrent;

  explicit bound(std::int64_t T, const graph& on = test::power_law(60, 300, 3))
      : steps(T),
        g(on),
        in(drawn({T, g.vertices(), 3}, 4)),
        target(drawn({T, g.vertices()}, 8)),
        start(drawn({g.vertices(), 4}, 1)),
        weights(drawn({3, 4}, 2)),
        recurrent(drawn({4, 4}, 3)) {}
  template <class Call> decltype(auto) operator()(Call&& call) const {
    return call(g, x = in, y = target, h = start, W = weights, U = recurrent);
  }
  sizes of(const checkpoints& keep) const {
    return {.vertices = g.vertices(), .edges = g.edges(), .extents = {sized<"T">(steps)}, .keep = keep};
  }
};
using trained = decltype(value_and_grad<loss>());

void expect_same(const trained::result& a, const trained::result& b, const std::string& what) {
  EXPECT_TRUE(std::memcmp(&a.loss, &b.loss, sizeof a.loss) == 0) << what;  // NaN where there is no step
  EXPECT_TRUE(same_bits(a.outputs.get<1>(), b.outputs.get<1>())) << what << ", last state";
  EXPECT_TRUE(same_bits(a.gradients[h], b.gradients[h])) << what << ", gradient of h";
  EXPECT_TRUE(same_bits(a.gradients[W], b.gradients[W])) << what << ", gradient of W";
  EXPECT_TRUE(same_bits(a.gradients[U], b.gradients[U])) << what << ", gradient of U";
}

TEST(scan_checkpoints, give_the_same_bits_for_any_block_and_number_of_threads) {
  const test::keep_threads keep;
  const bound with(11, test::power_law(3000, 20000, 3));
  set_threads(1);
  trained whole = value_and_grad<loss>();
  whole.seed(7);
  const trained::result expected = with(whole);
  for (const int threads : {1, 2, 3, 7})
    for (const std::int64_t every : {1, 2, 3, 4, 10, 11, 12}) {
      set_threads(threads);
      trained step = value_and_grad<loss>();
      step.seed(7);
      step.checkpoint({.every = every});
      expect_same(with(step), expected, std::to_string(every) + " steps, " + std::to_string(threads) + " threads");
    }
}

TEST(scan_checkpoints, may_change_from_step_to_step) {
  const bound with(9);
  trained whole = value_and_grad<loss>(), step = value_and_grad<loss>();
  for (const std::int64_t every : {0, 4, 2, 0, 5}) {
    step.checkpoint({.every = every});
    expect_same(with(step), with(whole), std::to_string(every) + " steps");
  }
}

TEST(scan_checkpoints, of_no_step_and_of_one_are_there) {
  for (const std::int64_t T : {0, 1, 2}) {
    const bound with(T);
    trained whole = value_and_grad<loss>(), step = value_and_grad<loss>();
    step.checkpoint({.every = 1});
    expect_same(with(step), with(whole), std::to_string(T) + " steps");
  }
}

TEST(scan_checkpoints, take_the_memory_that_is_foretold_and_allocate_once) {
  for (const std::int64_t every : {1, 6, 40}) {
    const bound with(40);
    trained step = value_and_grad<loss>();
    step.checkpoint({.every = every});
    with(step);
    EXPECT_EQ(peak_bytes<loss>(with.of({.every = every})).training, step.bytes()) << every;
    const std::uint64_t before = test::allocations();
    with(step);
    with(step);
    EXPECT_EQ(test::allocations(), before) << every;
  }
}

// What the program itself keeps for every step, a loss and what another scan collects, is left out.
constexpr auto recurrence = [](auto v) {
  auto last = scan<"T">(
      v,
      [](auto v, auto state) {
        auto gate = sigmoid(matmul(v(x), W) + matmul(state, U));
        return gate * state + (1.0 - gate) * tanh(matmul(v(x), W) + mean(v.in_edges().src(state)));
      },
      v(h));
  return mean(sum(square(last), axis<0>), all_vertices);
};

TEST(scan_checkpoints, of_a_root_of_the_steps_take_a_root_of_the_memory) {
  const auto bytes = [](std::int64_t T, std::int64_t every) {
    return peak_bytes<recurrence>(
               {.vertices = 1000, .edges = 8000, .extents = {sized<"T">(T)}, .keep = {.every = every}})
        .training;
  };
  const auto root = [](std::int64_t T) { return static_cast<std::int64_t>(std::sqrt(T)); };
  for (const std::int64_t T : {100, 400, 1600}) {
    EXPECT_LE(static_cast<double>(bytes(10 * T, root(10 * T))), 3.5 * static_cast<double>(bytes(T, root(T)))) << T;
    EXPECT_GE(static_cast<double>(bytes(10 * T, 0)), 9 * static_cast<double>(bytes(T, 0))) << T;
  }
}

TEST(scan_checkpoints, stay_within_a_limit_of_bytes) {
  const bound with(50);
  const std::int64_t whole = peak_bytes<loss>(with.of({})).training;
  const std::int64_t little = peak_bytes<loss>(with.of({.every = 7})).training;
  trained all = value_and_grad<loss>(), step = value_and_grad<loss>();
  for (const std::int64_t limit : {little, little + (whole - little) / 3, whole - 1, whole, whole + 1000}) {
    step.checkpoint({.within = limit});
    expect_same(with(step), with(all), std::to_string(limit) + " bytes");
    EXPECT_LE(step.bytes(), limit);
    EXPECT_EQ(step.bytes(), peak_bytes<loss>(with.of({.within = limit})).training);
    if (limit >= whole) {
      EXPECT_EQ(step.bytes(), whole);
    }
    const std::uint64_t before = test::allocations();
    with(step);
    EXPECT_EQ(test::allocations(), before) << limit;
    all.seed(0);
    step.seed(0);
  }
  step.checkpoint({.within = little / 4});
  test::expect_error([&] { with(step); },
                     {"a training call with checkpoints every ",
                      " bytes, and about as little as it can; the limit is " + std::to_string(little / 4)});
}

TEST(scan_checkpoints, say_what_cannot_be_meant) {
  trained step = value_and_grad<loss>();
  test::expect_error([&] { step.checkpoint({.every = -1}); },
                     {"checkpoints are asked for every -1 steps; give 1 or more, or 0 for none"});
  test::expect_error([&] { step.checkpoint({.within = -5}); },
                     {"checkpoints are asked for within -5 bytes; give 1 or more, or 0 for no limit"});
  test::expect_error([&] { step.checkpoint({.every = 3, .within = 5}); },
                     {"every 3 steps and within 5 bytes; give one of them"});
  test::expect_error([&] { peak_bytes<loss>({.extents = {sized<"T">(3)}, .keep = {.every = -2}}); },
                     {"every -2 steps"});
}

TEST(scan_checkpoints, are_for_tapes_too) {
  const bound with(10);
  const auto d_last = drawn({with.g.vertices(), 4}, 6);
  const auto d_loss = tensor<double>::full(dimensions(), 1.0);
  auto whole = compile_for_training<loss>(draft()), recorder = compile_for_training<loss>(draft());
  recorder.checkpoint({.every = 3});
  const auto record = [&](auto& by) { return with([&](const auto&... a) { return by.record(a...); }); };
  auto first = record(recorder), second = record(recorder);  // alive together, differentiated from the last
  auto first_whole = record(whole), second_whole = record(whole);
  EXPECT_LT(first.bytes(), first_whole.bytes());
  for (const auto& [a, b] : {std::pair{&second, &second_whole}, std::pair{&first, &first_whole}}) {
    const auto found = a->backward(d_loss, d_last), expected = b->backward(d_loss, d_last);
    EXPECT_TRUE(same_bits(a->template output<1>(), b->template output<1>()));
    EXPECT_TRUE(same_bits(found[h], expected[h]) && same_bits(found[W], expected[W]) &&
                same_bits(found[U], expected[U]));
  }
}

/// The gradients of a program of support/scans.hpp, with all of them kept or not.
template <const auto& F, class... Arg> void expect_same_gradients(const graph& g, const Arg&... args) {
  auto whole = compile_for_training<F>(draft());
  auto expected = whole.record(g, args...);
  const auto differentiate = [](auto& tape, const auto& like) {
    if constexpr (requires { like.template get<1>(); }) return tape.backward(like.template get<0>());
    else return tape.backward(like);
  };
  const auto outputs = compile<F>(draft())(g, args...);
  const auto gradients = differentiate(expected, outputs);
  for (const std::int64_t every : {1, 2, 3}) {
    auto recorder = compile_for_training<F>(draft());
    recorder.checkpoint({.every = every});
    auto tape = recorder.record(g, args...);
    const auto found = differentiate(tape, outputs);
    EXPECT_NE(tape.bytes(), expected.bytes()) << every;  // something was left out, or kept
    for_each(found, [&](std::string_view name, const auto& values) {
      for_each(gradients, [&](std::string_view other, const auto& right) {
        if (name != other) return;
        EXPECT_TRUE(same_bits(values, right)) << name << " with " << every << " steps";
      });
    });
  }
}

TEST(scan_checkpoints, hold_for_scans_in_scans_and_behind_one_another) {
  using namespace scans;
  const graph g = test::power_law(2000, 6000, 3);
  const std::int64_t V = g.vertices(), T = 10, L = 3;
  const auto in = drawn({T, V, 3}, 1), start = drawn({V, 2}, 2), w3 = drawn({3, 2}, 3), w2 = drawn({2, 2}, 4);
  const auto layers = drawn({L, 2, 2}, 5), biases = drawn({L, 2}, 6), rates = drawn({T}, 7);
  expect_same_gradients<nested>(g, scans::x = in, h0 = start, scans::W = w3, layer = layers, bias = biases);
  expect_same_gradients<in_a_row>(g, scans::x = in, h0 = start, scans::W = w3);
  expect_same_gradients<dropped>(g, scans::x = in, h0 = start, scans::W = w3);
  expect_same_gradients<penalised>(g, h0 = start, scans::U = w2, rate = rates);
}

}  // namespace
}  // namespace stg
