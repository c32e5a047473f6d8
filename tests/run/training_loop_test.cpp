// test: draft runtime
// What stands around a training step: running sums and means of gradients, against sums by hand, of sets with more
// names, and begun anew; many steps in one call, against single ones.
#include "expect_error.hpp"      // expect_error
#include "support/networks.hpp"  // differences

#include <stg/runtime/gradient_accumulation.hpp>  // mean_of_gradients, sum_of_gradients
#include <stg/stg.hpp>                            // parameters, value_and_grad

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // equal, max, min
#include <cmath>      // abs, sqrt
#include <cstring>    // memcmp
#include <limits>     // infinity

namespace stg {
namespace {

constexpr auto x = trainable(vertex_feature<"x", 2>);
constexpr auto W = parameter<"W", 2, 2>;
constexpr auto b = parameter<"b", f64, 3>;
constexpr auto loss = [](auto v) {
  return mean(sum(square(matmul(v(x), W)), axis<0>), all_vertices) + cast<f32>(sum(b * b, axis<0>));
};

struct steps_of_three {
  graph g = graph::from_edges(2, {0, 1}, {1, 0});
  decltype(parameters<loss>()) params = parameters<loss>();
  decltype(value_and_grad<loss, W, b, x>()) step = value_and_grad<loss, W, b, x>();

  steps_of_three() {
    initialize(params, 1);
    uniform(params[b], -1, 1, 2);
  }
  auto operator()(int k) {
    const auto X = tensor<float>::from({2, 2}, {1.0f * k, 2, 0.5f, -1.0f * k});
    return step(g, x = X, params).gradients.clone();
  }
};

TEST(accumulated_gradients, are_sums_and_means) {
  steps_of_three steps;
  auto sum = sum_of_gradients(steps.params);
  auto mean = mean_of_gradients(steps.params);
  double of_W = 0, of_b = 0;
  for (int k = 1; k <= 5; ++k) {
    const auto now = steps(k);  // with a gradient of x, which nobody adds up
    sum.add(now);
    mean.add(now);
    of_W += now[W](0, 1);
    of_b += now[b].data()[2];
    EXPECT_EQ(mean.steps(), k);
    EXPECT_NEAR(sum.gradients()[W](0, 1), of_W, 1e-5 * std::abs(of_W));
    EXPECT_NEAR(mean.gradients()[W](0, 1), of_W / k, 1e-5 * std::abs(of_W));
    EXPECT_NEAR(sum.gradients()[b].data()[2], of_b, 1e-14);
    EXPECT_NEAR(mean.gradients()[b].data()[2], of_b / k, 1e-14);
  }
}

TEST(accumulated_gradients, begin_anew) {
  steps_of_three steps;
  auto mean = mean_of_gradients(steps.params);
  auto broken = steps(1);
  broken[W](0, 0) = std::numeric_limits<float>::infinity();
  mean.add(broken);
  mean.clear();
  EXPECT_EQ(mean.steps(), 0);
  for (const float d : mean.gradients()[W]) EXPECT_EQ(d, 0);
  const auto now = steps(2);
  mean.add(now);
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(mean.gradients()[W].data()[i], now[W].data()[i]);
}

constexpr auto V = parameter<"V", 2, 2>;
constexpr auto dropped = [](auto v) {
  return mean(sum(square(matmul(dropout(v(x), 0.5), V) - 1), axis<0>), all_vertices);
};

/// A model in training, and what its steps give.
struct trained {
  graph g = graph::from_edges(8, {0, 1}, {1, 0});
  tensor<float> X{8, 2};
  decltype(parameters<dropped>()) params = parameters<dropped>();
  decltype(value_and_grad<dropped, V>()) step = value_and_grad<dropped, V>();
  adam<decltype(params)> optimizer{params, {.learning_rate = 0.1}};

  trained() {
    initialize(params, 1);
    uniform(X, -1, 1, 2);
  }
  bool has_bits_of(const trained& other) const {
    return std::memcmp(params[V].data(), other.params[V].data(), sizeof(float) * 4) == 0;
  }
};

TEST(steps_in_one_call, have_the_bits_of_single_ones) {
  trained many, single;
  const auto last = many.step.run(6, many.optimizer, many.g, x = many.X, many.params);
  for (int k = 0; k < 6; ++k) {
    const auto now = single.step(single.g, x = single.X, single.params);  // with a mask of its own
    single.optimizer.step(now.gradients);
    if (k < 5) {
      EXPECT_FALSE(many.has_bits_of(single)) << k;
      continue;
    }
    EXPECT_EQ(last.loss, now.loss);
    EXPECT_EQ(test::differences(last.gradients, now.gradients), "");
  }
  EXPECT_TRUE(many.has_bits_of(single));
  EXPECT_EQ(many.optimizer.steps(), 6);
}

TEST(steps_in_one_call, need_no_step_with_a_name) {
  trained many, named;
  const auto wanted = named.step.run(6, named.optimizer, named.g, x = named.X, named.params);
  const auto last = value_and_grad<dropped, V>().run(6, many.optimizer, many.g, x = many.X, many.params);
  EXPECT_EQ(last.loss, wanted.loss);
  EXPECT_EQ(test::differences(last.gradients, wanted.gradients), "") << "they are there as long as they are held";
  EXPECT_TRUE(many.has_bits_of(named));
  test::expect_error([&] { value_and_grad<dropped, V>().run(0, many.optimizer, many.g, x = many.X, many.params); },
                     {"0 steps"});
}

TEST(steps_in_one_call, end_where_the_function_says) {
  trained some, six;
  six.step.run(6, six.optimizer, six.g, x = six.X, six.params);
  std::int64_t seen = 0;
  some.step.run(
      20,
      [&](auto& now, std::int64_t k) {
        EXPECT_EQ(k, seen++);
        some.optimizer.step(now.gradients);
        return k == 5;
      },
      some.g, x = some.X, some.params);
  EXPECT_EQ(seen, 6);
  EXPECT_TRUE(some.has_bits_of(six));
  some.step.run(
      3, [&](const auto&, std::int64_t) { ++seen; }, some.g, x = some.X, some.params);
  EXPECT_EQ(seen, 9);
}

TEST(steps_in_one_call, end_with_an_error) {
  trained run, one;
  run.step.run(1, run.optimizer, run.g, x = run.X, run.params);
  one.step.run(1, one.optimizer, one.g, x = one.X, one.params);
  const auto stops = [&](auto& now, std::int64_t k) {
    if (k == 1) throw error("the second is wrong");
    run.optimizer.step(now.gradients);
  };
  test::expect_error([&] { run.step.run(9, stops, run.g, x = run.X, run.params); }, {"the second is wrong"});
  EXPECT_EQ(run.optimizer.steps(), 2);
  one.step.run(1, one.optimizer, one.g, x = one.X, one.params);
  EXPECT_TRUE(run.has_bits_of(one));
  test::expect_error([&] { run.step.run(9, run.optimizer, run.g, x = tensor<float>({8, 3}), run.params); }, {"'x'"});
  test::expect_error([&] { run.step.run(0, run.optimizer, run.g, x = run.X, run.params); }, {"0 steps"});
  for (const float wrong : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    tensor<float> broken = tensor<float>::full({8, 2}, wrong);
    const auto last = run.step.run(9, run.optimizer, run.g, x = broken, run.params);
    EXPECT_FALSE(std::isfinite(last.loss));
  }
  EXPECT_EQ(run.optimizer.steps(), 2);
  EXPECT_TRUE(run.has_bits_of(one));
}

// ---- what parameters begin with ----

constexpr auto gain = initialized(parameter<"gain", f64, 4>, init::ones);
constexpr auto bias = over<"L">(parameter<"bias", 4>);
constexpr auto drawn = initialized(parameter<"drawn", 16>, init::uniform(0.25, 0.5));
constexpr auto bell = initialized(over<"L">(parameter<"bell", 400>), init::normal(1, 0.5));
constexpr auto row = initialized(parameter<"row", 96>, init::glorot_uniform);
constexpr auto scores = over<"L">(initialized(parameter<"scores", 25>, init::kaiming_uniform(2.23606797749979)));
constexpr auto share = initialized(trainable(scalar<"share">), init::constant(0.5));
constexpr auto weights = parameter<"weights", 3, 4>;
constexpr auto stack = over<"L">(parameter<"stack", 4, 4>);
constexpr auto off = initialized(parameter<"off", 4, 4>, init::zeros);
constexpr auto reads_all = [](auto v) {
  const auto of_steps = scan<"L">(
      v, [](auto v, auto h) { return matmul(h, stack) + bias + sum(v(bell), axis<0>) + sum(v(scores), axis<0>); },
      zeros<4>(v));
  return outputs(of_steps + (matmul(ones<3>(v), weights) + sum(v(drawn), axis<0>) + sum(v(row), axis<0>)) * share +
                     matmul(ones<4>(v), off),
                 v(gain));
};

template <class T> void expect_within(const tensor<T>& t, double low, double high) {
  double least = t.data()[0], largest = t.data()[0];
  for (const T x : t) least = std::min<double>(least, x), largest = std::max<double>(largest, x);
  EXPECT_GE(least, low);
  EXPECT_LE(largest, high);
  EXPECT_LT(least, low + 0.3 * (high - low));
  EXPECT_GT(largest, high - 0.3 * (high - low));
}
template <class T> void expect_all(const tensor<T>& t, double value) {
  for (const T x : t) ASSERT_EQ(x, value);
}

TEST(initialize_parameters, begins_them_as_they_are_declared) {
  auto params = parameters<reads_all>(sized<"L">(50));
  initialize(params, 3);
  expect_all(params[gain], 1);
  expect_all(params[bias], 0);
  expect_all(params[off], 0);
  expect_all(params[share], 0.5);
  expect_within(params[drawn], 0.25, 0.5);
  expect_within(params[row], -std::sqrt(6.0 / 97), std::sqrt(6.0 / 97));
  expect_within(params[scores], -0.2, 0.2);
  double mean = 0;
  for (const float x : params[bell]) mean += x / 20000.0;
  EXPECT_NEAR(mean, 1, 0.02);

  // What is not said is as it always was, from a seed of its own.
  std::uint64_t position = 0;
  for_each(params, [&](std::string_view name, const auto& t) {
    auto expected = t.clone();
    if (name == "weights" || name == "stack") {
      glorot_uniform(expected, 3 * 1000003 + position);
      EXPECT_TRUE(std::equal(t.begin(), t.end(), expected.begin())) << name;
    }
    ++position;
  });

  // Copies and parts of a set know it, too.
  auto copy = params.zeros();
  expect_all(copy[gain], 0);
  initialize(copy, 3);
  expect_all(copy[gain], 1);
  auto part = params.clone().of(parameters<reads_all>(sized<"L">(50)));
  ones(part[bias]);
  initialize(part, 3);
  expect_all(part[bias], 0);
}

constexpr auto wrong = parameter<"wrong", 3>;
constexpr auto reads_wrong = [](auto v) { return v(x) + sum(v(wrong), axis<0>); };
TEST(initialize_parameters, names_the_parameter_whose_rule_is_wrong) {
  auto params = parameters<reads_wrong>();
  test::expect_error([&] { initialize(params, init::uniform(2, 1), 1); },
                     {"parameter 'wrong'", "uniform", "the lower first"});
}

// Behind relu, a gain that begins with 0 lets no gradient pass; one that layers declare begins as in their papers.
constexpr auto features = vertex_feature<"features", 3>;
constexpr auto wanted = vertex_feature<"wanted", 4>;
constexpr auto slope = initialized(parameter<"slope", 4>, init::ones);
constexpr auto lift = parameter<"lift", 4>;
constexpr auto shift = parameter<"shift", 4>;  // of graph_norm, which says what it begins with
constexpr auto normed = [](auto v) {
  return mse(relu(slope * nn::graph_norm(nn::layer_norm(matmul(v(features), weights)), shift) + lift), v(wanted));
};
TEST(initialize_parameters, lets_a_gain_behind_a_norm_learn) {
  const graph g = graph::from_edges(5, {0, 1, 2, 3, 4}, {1, 2, 3, 4, 0});
  tensor<float> given({5, 3}), to({5, 4});
  uniform(given, -1, 1, 1);
  uniform(to, 0, 2, 2);
  auto params = parameters<normed>();
  initialize(params, 3);
  expect_all(params[shift], 1);
  adam optimizer(params, {.learning_rate = 0.05});
  auto step = value_and_grad<normed>();
  const double begun = step(g, features = given, wanted = to, params).loss;
  for (int k = 0; k < 100; ++k) optimizer.step(step(g, features = given, wanted = to, params).gradients);
  EXPECT_LT(step(g, features = given, wanted = to, params).loss, 0.6 * begun);
}

}  // namespace
}  // namespace stg
