// Running sums and means of gradients: against sums by hand, of sets with more names, and begun anew.
#include <stg/runtime/gradient_accumulation.hpp>  // mean_of_gradients, sum_of_gradients
#include <stg/stg.hpp>                            // parameters, value_and_grad

#include <gtest/gtest.h>  // TEST

#include <cmath>   // abs
#include <limits>  // infinity

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

}  // namespace
}  // namespace stg
