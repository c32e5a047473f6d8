// test: draft calls, proof kernels 0, counted
// Calls as a user makes them: the same as written out, in training, in scans and in one another, with several results.
#include "support/families.hpp"  // mixed, power_law

#include <stg/call/check_gradients.hpp>  // check_gradients
#include <stg/stg.hpp>                   // call

#include <gtest/gtest.h>  // TEST

#include <string>  // string

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", f64, 4>);
constexpr auto w = edge_feature<"w", f64>;
constexpr auto W1 = parameter<"W1", f64, 4, 4>;
constexpr auto W2 = parameter<"W2", f64, 4, 4>;
constexpr auto a1 = parameter<"a1", f64, 4>;
constexpr auto a2 = parameter<"a2", f64, 4>;

constexpr auto attention = [](auto v, auto h, auto W, auto a) {
  auto e = v.in_edges();
  auto z = matmul(h, W);
  auto score = leaky_relu(sum(e.src(z) * a + e.dst(z), axis<0>), 0.2) * e(w);
  return sum(softmax(score) * e.src(z)) + h;
};
constexpr auto called = [](auto v) { return call(attention, v, call(attention, v, v(x), W1, a1), W2, a2); };
constexpr auto written = [](auto v) { return attention(v, attention(v, v(x), W1, a1), W2, a2); };

/// Two results, one of them of the graph, and a call within.
constexpr auto pair = [](auto v, auto h, auto scale) {
  auto y = call(attention, v, h * scale, W1, a1);
  return std::tuple(y, mean(sum(y, axis<0>), all_vertices));
};
constexpr auto of_pairs = [](auto v) {
  auto [y, total] = call(pair, v, v(x), 2.0);
  auto [z, unread] = call(pair, v, y * total, 0.5);
  return z + v(x);
};
constexpr auto of_pairs_written = [](auto v) {
  auto [y, total] = pair(v, v(x), 2.0);
  auto [z, unread] = pair(v, y * total, 0.5);
  return z + v(x);
};
constexpr auto in_steps = [](auto v) {
  return scan<3>(
      v, [](auto v, auto h) { return 0.5 * call(attention, v, h, W1, a1); }, v(x));
};
constexpr auto in_steps_written = [](auto v) {
  return scan<3>(
      v, [](auto v, auto h) { return 0.5 * attention(v, h, W1, a1); }, v(x));
};

tensor<double> drawn(const dimensions& shape, std::uint64_t seed) {
  tensor<double> t(shape);
  uniform(t, -1, 1, seed);
  return t;
}
void expect_near(const tensor<double>& a, const tensor<double>& b, const std::string& what) {
  ASSERT_EQ(a.shape(), b.shape()) << what;
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-12) << what << ' ' << i;
}

template <const auto& Called, const auto& Written> void expect_same(const graph& g) {
  const auto X = drawn({g.vertices(), 4}, 1), d = drawn({g.vertices(), 4}, 2);
  const auto weights = g.edge_values(drawn({g.edges()}, 3));
  auto params = parameters<Called>();
  initialize(params, 4);
  params[a1] = drawn({4}, 5);
  expect_near(compile<Called>()(g, x = X, w = weights, params), compile<Written>()(g, x = X, w = weights, params), "y");
  auto by_call = compile_for_training<Called>().record(g, x = X, w = weights, params);
  auto by_hand = compile_for_training<Written>().record(g, x = X, w = weights, params);
  expect_near(by_call.output(), by_hand.output(), "y in training");
  const auto found = by_call.backward(d);
  const auto expected = by_hand.backward(d);
  expect_near(found[x], expected[x], "gradient of x");
  expect_near(found[W1], expected[W1], "gradient of W1");
  expect_near(found[a1], expected[a1], "gradient of a1");
}

TEST(calls, are_what_is_written_out) {
  for (const graph& g : {test::mixed(), test::power_law(300, 3000, 1)}) expect_same<called, written>(g);
}
TEST(calls, within_calls_and_with_several_results) { expect_same<of_pairs, of_pairs_written>(test::mixed()); }
TEST(calls, in_the_steps_of_a_scan) { expect_same<in_steps, in_steps_written>(test::mixed()); }

TEST(calls, have_the_gradients_of_differences) {
  const graph g = test::mixed();
  auto params = parameters<called>();
  initialize(params, 4);
  params[a1] = drawn({4}, 5);
  const gradient_check all = check_gradients<called>(g, x = drawn({5, 4}, 1), w = g.edge_values(drawn({9}, 3)), params);
  EXPECT_TRUE(all) << all;
}

// Each call of a layer with dropout draws what it would draw written out, and its gradient the same.
constexpr auto drops = [](auto, auto h) { return dropout(tanh(dropout(h, 0.5)), 0.25); };
constexpr auto dropped = [](auto v) { return call(drops, v, dropout(call(drops, v, v(x)), 0.1)); };
constexpr auto dropped_written = [](auto v) { return drops(v, dropout(drops(v, v(x)), 0.1)); };

constexpr auto careless = [](auto v, auto h, auto W, auto a) { return attention(v, dropout(h, 0.3), W, a); };
constexpr auto careless_called = [](auto v) { return call(careless, v, call(careless, v, v(x), W1, a1), W2, a2); };
constexpr auto careless_written = [](auto v) { return careless(v, careless(v, v(x), W1, a1), W2, a2); };

/// A call of a layer whose steps call, with masks at each level.
constexpr auto steps_that_drop = [](auto v, auto h) {
  return scan<3>(
      v, [](auto v, auto s) { return call(drops, v, dropout(s, 0.2)); }, h);
};
constexpr auto deep = [](auto v) { return call(steps_that_drop, v, call(steps_that_drop, v, v(x))); };
constexpr auto deep_written = [](auto v) {
  const auto steps = [](auto v, auto h) {
    return scan<3>(
        v, [](auto v, auto s) { return drops(v, dropout(s, 0.2)); }, h);
  };
  return steps(v, steps(v, v(x)));
};

void expect_equal(const tensor<double>& a, const tensor<double>& b, const std::string& what) {
  ASSERT_EQ(a.shape(), b.shape()) << what;
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_EQ(a.data()[i], b.data()[i]) << what << ' ' << i;
}
template <const auto& Called, const auto& Written> void expect_equal_draws() {
  const graph g = test::power_law(300, 10, 1);
  const auto X = drawn({300, 4}, 1), d = drawn({300, 4}, 2);
  auto by_call = compile_for_training<Called>();
  auto by_hand = compile_for_training<Written>();
  for (int nth = 0; nth < 2; ++nth) {
    auto called_now = by_call.record(g, x = X);
    auto written_now = by_hand.record(g, x = X);
    expect_equal(called_now.output(), written_now.output(), "y");
    expect_equal(called_now.backward(d)[x], written_now.backward(d)[x], "gradient of x");
  }
}
TEST(calls, draw_what_is_drawn_written_out) {
  expect_equal_draws<dropped, dropped_written>();
  expect_equal_draws<deep, deep_written>();
  for (const graph& g : {test::mixed(), test::power_law(300, 3000, 1)})
    expect_same<careless_called, careless_written>(g);
}

constexpr auto apart = [](auto v) { return call(drops, v, v(x)) - call(drops, v, v(x)); };
TEST(calls, draw_random_numbers_of_their_own) {
  const graph g = test::power_law(300, 10, 1);
  auto tape = compile_for_training<apart>().record(g, x = tensor<double>::full({300, 4}, 1.0));
  const auto y = tape.output();
  int differ = 0;
  for (const double d : y) differ += d != 0;
  EXPECT_GT(differ, 300);
  for (const double d : compile<apart>()(g, x = tensor<double>::full({300, 4}, 1.0))) EXPECT_EQ(d, 0);
}

}  // namespace
}  // namespace stg
