// test: draft calls
// batch_norm as kernels: by the batch in a step, by what ran before in a plain call, and its statistics from step to
// step.
#include "support/families.hpp"  // mixed
#include "support/layers.hpp"    // symbols

#include <stg/stg.hpp>  // value_and_grad, compile

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

using layers::mean_so_far;
using layers::variance_so_far;
using layers::x;

constexpr auto gain = parameter<"gain", f64, 3>;
constexpr auto model = [](auto v) {
  auto [y, m, s] = nn::batch_norm(v(x), mean_so_far, variance_so_far);
  return outputs(sum(sum(y * y * gain, axis<0>), all_vertices), y, mean_so_far = m, variance_so_far = s);
};

/// Feature k of vertex i is i + k: over five vertices its mean is 2 + k, its biased variance 2, its unbiased one 2.5.
tensor<double> features() {
  tensor<double> t({5, 3});
  for (std::int64_t i = 0; i < 15; ++i) t.data()[i] = static_cast<double>(i / 3 + i % 3);
  return t;
}

TEST(batch_norm, carries_its_statistics_from_step_to_step) {
  const graph g = test::mixed();
  const auto values = features();
  const auto ones = tensor<double>::full({3}, 1.0);
  auto mean = tensor<double>::full({3}, 0.0), variance = tensor<double>::full({3}, 1.0);
  auto step = value_and_grad<model, gain>();
  for (int calls = 1; calls < 4; ++calls) {
    const auto now = step(g, x = values, mean_so_far = mean, variance_so_far = variance, gain = ones);
    EXPECT_NEAR(now.outputs.template get<1>()(0, 0), -2 / std::sqrt(2 + 1e-5), 1e-12) << "by the batch, in every step";
    EXPECT_NEAR(now.gradients[gain](0), 5 * 2 / (2 + 1e-5), 1e-12);
    mean = now.outputs[mean_so_far].clone();
    variance = now.outputs[variance_so_far].clone();
    const double left = std::pow(0.9, calls);
    EXPECT_NEAR(mean(1), 3 * (1 - left), 1e-12);
    EXPECT_NEAR(variance(1), left + 2.5 * (1 - left), 1e-12);
  }

  auto plainly = compile<model>();
  const auto out = plainly(g, x = values, mean_so_far = mean, variance_so_far = variance, gain = ones);
  EXPECT_NEAR(out.template get<1>()(4, 2), (6 - mean(2)) / std::sqrt(variance(2) + 1e-5), 1e-12);
  EXPECT_EQ(out[mean_so_far](2), mean(2)) << "a plain call leaves statistics as they are";
  EXPECT_EQ(out[variance_so_far](0), variance(0));
}

// ---- of equal numbers ----

constexpr auto row = vertex_feature<"row", extent<"F">>;
constexpr auto norms = [](auto v) {
  auto [y, m, s] = nn::batch_norm(v(row), graph_feature<"m", extent<"F">>, graph_feature<"s", extent<"F">>);
  return outputs(sum(y, all_vertices), nn::layer_norm(v(row)), nn::layer_norm(v(row), all_vertices),
                 nn::pair_norm(v(row)), nn::graph_norm(v(row), full<1>(1.0)), y);
};

/// As with PyTorch, whatever rounding does to their mean: nothing is left where it is taken off.
TEST(normalisations, of_equal_numbers_are_zero) {
  const std::int64_t none[] = {0};
  auto recorder = compile_for_training<norms, row>();
  for (const int rows : {1, 7, 3000}) {
    const graph g = graph::from_edges(rows, none, none);
    for (const int n : {3, 7, 16, 100, 1000}) {
      if (rows * n > 100000) continue;
      for (const float c : {37.3f, 300.7f, 1e4f / 3, 98765.43f, -1.1e8f}) {
        const auto ones = tensor<float>::full({n}, 1.0f);
        auto tape = recorder.record(g, row = tensor<float>::full({rows, n}, c), graph_feature<"m", extent<"F">> = ones,
                                    graph_feature<"s", extent<"F">> = ones);
        const auto all = tape.outputs();
        for_each(all, [&](std::string_view, const auto& y) {
          for (const float each : y) ASSERT_EQ(each, 0) << rows << " rows of " << n << " numbers " << c;
        });
      }
    }
  }
}

TEST(batch_norm, of_fixed_features_is_that_of_the_batch_in_training_alone) {
  const graph g = test::mixed();
  const auto values = features();
  const auto ones = tensor<double>::full({3}, 1.0), halves = tensor<double>::full({3}, 0.5);
  auto step = value_and_grad<model, gain>();
  const auto now = step(g, x = fixed(values), mean_so_far = fixed(halves), variance_so_far = fixed(ones), gain = ones);
  EXPECT_NEAR(now.outputs.template get<1>()(0, 0), -2 / std::sqrt(2 + 1e-5), 1e-12);
  auto plainly = compile<model>();
  const auto out =
      plainly(g, x = fixed(values), mean_so_far = fixed(halves), variance_so_far = fixed(ones), gain = ones);
  EXPECT_NEAR(out.template get<1>()(0, 0), -0.5 / std::sqrt(1 + 1e-5), 1e-12);
}

}  // namespace
}  // namespace stg
