// What stands around a training step: running sums and means of gradients, against sums by hand, of sets with more
// names, and begun anew; many steps in one call, against single ones.
#include "expect_error.hpp"      // expect_error
#include "support/networks.hpp"  // differences

#include <stg/runtime/gradient_accumulation.hpp>  // mean_of_gradients, sum_of_gradients
#include <stg/stg.hpp>                            // parameters, value_and_grad

#include <gtest/gtest.h>  // TEST

#include <cmath>    // abs
#include <cstring>  // memcmp
#include <limits>   // infinity

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

}  // namespace
}  // namespace stg
