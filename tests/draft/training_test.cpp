// Drafts beside the compiled programs: training with dropout on a graph with hubs, and everything else that a call may
// bind.
#include "support/crossing.hpp"   // everything
#include "support/same_bits.hpp"  // expect_same_bits, hubs, networks

#include <stg/stg.hpp>  // the language

#include <gtest/gtest.h>  // TEST

#include <cmath>   // abs
#include <vector>  // vector

namespace stg {
namespace {

using test::copy_of;
using test::hubs;

/// |a - b| <= tolerance × the largest |b|.
template <class T> void expect_near(const const_tensor<T>& a, const const_tensor<T>& b, double tolerance) {
  ASSERT_EQ(a.shape(), b.shape());
  double largest = 0, apart = 0;
  for (std::int64_t i = 0; i < b.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(b.data()[i])));
    apart = std::max(apart, std::abs(static_cast<double>(a.data()[i]) - static_cast<double>(b.data()[i])));
  }
  EXPECT_LE(apart, tolerance * largest);
}

/// Losses of so many steps of Adam.
template <const auto& Loss, class Step> std::vector<double> losses(Step step, int steps) {
  const test::vertex_data data(hubs().vertices(), 5);
  auto params = parameters<Loss>();
  initialize(params, 7);
  adam<std::remove_cvref_t<decltype(params)>> optimizer(params, {.learning_rate = 0.01});
  std::vector<double> all;
  for (int k = 0; k < steps; ++k) {
    auto now = step(hubs(), test::networks::x = data.features, test::networks::label = data.labels,
                    test::networks::known = data.known, params);
    all.push_back(now.loss);
    optimizer.step(now.gradients);
  }
  return all;
}

template <const auto& Loss> void expect_same_training() {
  const std::vector<double> compiled = losses<Loss>(value_and_grad<Loss>(), 8);
  const std::vector<double> drafted = losses<Loss>(value_and_grad<Loss>(draft()), 8);
  for (std::size_t k = 0; k < compiled.size(); ++k) EXPECT_NEAR(drafted[k], compiled[k], 2e-5 * compiled[0]) << k;
  EXPECT_LT(drafted.back(), drafted.front());
}

TEST(draft, trains_a_convolution_as_if_compiled) { expect_same_training<test::networks::gcn_loss>(); }
TEST(draft, trains_attention_as_if_compiled) { expect_same_training<test::networks::gat_loss>(); }

TEST(draft, gives_the_same_bits_with_any_number_of_threads) {
  const test::vertex_data data(hubs().vertices(), 5);
  auto params = parameters<test::networks::gat_loss>();
  initialize(params, 7);
  test::expect_same_bits([&](auto use) {
    auto step = value_and_grad<test::networks::gat_loss>(draft());
    auto now = step(hubs(), test::networks::x = data.features, test::networks::label = data.labels,
                    test::networks::known = data.known, params);
    use(copy_of(now.outputs), now.gradients);
  });
}

TEST(draft, records_tapes_over_edges_of_both_sides) {
  using test::crossing::everything, test::crossing::h, test::crossing::w;
  test::record_everything(compile_for_training<everything>(), [](const auto& expected, const auto& gradients) {
    test::record_everything(compile_for_training<everything>(draft()), [&](const auto& out, const auto& also) {
      expect_near<float>(out.template get<0>(), expected.template get<0>(), 1e-5);
      expect_near<float>(out.template get<1>().values(), expected.template get<1>().values(), 1e-5);
      expect_near<float>(out.template get<2>(), expected.template get<2>(), 1e-5);
      expect_near<float>(out.template get<3>(), expected.template get<3>(), 1e-5);
      expect_near<float>(also[h], gradients[h], 1e-5);
      expect_near<float>(also[w].values(), gradients[w].values(), 1e-5);
    });
  });
}

constexpr auto rows = sparse_feature<"rows", 40>;
constexpr auto stored = vertex_feature<"stored", bf16, 7>;
constexpr auto W = parameter<"W", 40, 7>;
constexpr auto mixed = [](auto v) {
  auto near = nn::gcn_conv(v, v(rows), W);
  return near + mean(cast<f32>(v.in_edges().src(stored)));
};

TEST(draft, takes_sparse_and_narrow_features_fixed_and_into_tensors) {
  tensor<float> dense({hubs().vertices(), 40}), given({hubs().vertices(), 7});
  uniform(dense, -1, 1, 3);
  uniform(given, -1, 1, 4);
  for (std::int64_t i = 0; i < dense.size(); ++i) dense.data()[i] = i % 5 == 0 ? dense.data()[i] : 0;
  const auto sparse_rows = sparse(dense);
  tensor<bfloat16> narrow(given.shape());
  for (std::int64_t i = 0; i < given.size(); ++i) narrow.data()[i] = bfloat16(given.data()[i]);
  auto params = parameters<mixed>();
  initialize(params, 1);
  const tensor<float> expected = compile<mixed>()(hubs(), rows = sparse_rows, stored = narrow, params);
  auto drafted = compile<mixed>(draft());
  tensor<float> out = drafted(hubs(), rows = fixed(sparse_rows), stored = fixed(narrow), params);
  expect_near<float>(out, expected, 1e-5);
  drafted.into(out, hubs(), rows = fixed(sparse_rows), stored = fixed(narrow), params);
  expect_near<float>(out, expected, 1e-5);
  EXPECT_EQ(drafted.prologue_runs(), 1u);
}

}  // namespace
}  // namespace stg
