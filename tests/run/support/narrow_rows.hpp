// Models whose rows lie in memory as bf16 or f16: decided, and rounded by hand where they are stored.
#pragma once

#include <stg/stg.hpp>  // the language

#include "families.hpp"  // mixed

#include <gtest/gtest.h>  // EXPECT_TRUE

#include <algorithm>         // equal
#include <cmath>             // abs
#include <initializer_list>  // initializer_list

namespace stg::test {

inline constexpr auto x = trainable(vertex_feature<"x", 12>);
inline constexpr auto W = parameter<"W", 12, 20>;
inline constexpr auto b = parameter<"b", 20>;
inline constexpr auto V = parameter<"V", 20, 12>;

/// Rounds by hand, straight through for gradients.
template <scalar_type As>
constexpr auto rounded = custom_gradient([](auto, auto h) { return cast<f32>(cast<As>(h)); },
                                         [](auto, auto d, auto) { return d; });

template <bool ByHand, scalar_type As, class View, class X> constexpr auto narrow(View v, X h) {
  if constexpr (ByHand) return rounded<As>(v, h);
  else return stored_as<As>(h);
}
/// Neighbours read a product, and a product reads rows of a sweep.
template <bool ByHand, scalar_type As>
constexpr auto two_layers = [](auto v) {
  auto h = narrow<ByHand, As>(v, relu(matmul(tanh(v(x)), W)));
  auto z = narrow<ByHand, As>(v, relu(mean(v.in_edges().src(h)) + b));
  return sum(v.out_edges().dst(matmul(z, V)));
};
/// A value that neighbours read, and its own unit from registers: only neighbours get rounded numbers.
template <bool ByHand, scalar_type As>
constexpr auto in_both_ways = [](auto v) {
  auto h = exp(sum(v.in_edges().src(v(x))));
  auto rows = narrow<ByHand, As>(v, h);
  auto own = stored(sum(h * h, axis<0>));
  return sum(v.in_edges().src(rows)) + own;
};
template <const auto& Model>
constexpr auto loss = [](auto v) { return mean(sum(square(Model(v)), axis<0>), all_vertices); };

inline tensor<float> filled(std::initializer_list<std::int64_t> dims, int period, float scale) {
  tensor<float> t{dims};
  for (std::int64_t k = 0; k < t.size(); ++k)
    t.data()[k] = scale * (static_cast<float>(k % period) - 0.4f * static_cast<float>(period));
  return t;
}
template <const auto& Model> tensor<float> called() {
  const graph g = mixed();
  return compile<Model>()(g, x = filled({g.vertices(), 12}, 29, 0.037f));
}
template <const auto& Model> tensor<float> called_with_parameters() {
  const graph g = mixed();
  return compile<Model>()(g, x = filled({g.vertices(), 12}, 29, 0.037f), W = filled({12, 20}, 31, 0.011f),
                          b = filled({20}, 7, 0.1f), V = filled({20, 12}, 17, 0.021f));
}
struct trained_once {
  double loss;
  tensor<float> gradients[4];
};
template <const auto& Model> trained_once trained() {
  const graph g = mixed();
  auto step = value_and_grad<loss<Model>>();
  const auto now = step(g, x = filled({g.vertices(), 12}, 29, 0.037f), W = filled({12, 20}, 31, 0.011f),
                        b = filled({20}, 7, 0.1f), V = filled({20, 12}, 17, 0.021f));
  return {now.loss,
          {now.gradients[x].clone(), now.gradients[W].clone(), now.gradients[b].clone(), now.gradients[V].clone()}};
}
inline bool are_equal(const tensor<float>& p, const tensor<float>& q) {
  return std::equal(p.begin(), p.end(), q.begin(), q.end());
}
inline double distance(const tensor<float>& p, const tensor<float>& q) {
  double most = 0, size = 0;
  for (std::int64_t k = 0; k < p.size(); ++k) {
    most = std::max(most, std::abs(static_cast<double>(p.data()[k]) - q.data()[k]));
    size = std::max(size, std::abs(static_cast<double>(q.data()[k])));
  }
  return most / size;
}

template <scalar_type As> void expect_as_by_hand() {
  EXPECT_TRUE(
      are_equal(called_with_parameters<two_layers<false, As>>(), called_with_parameters<two_layers<true, As>>()));
  const auto decided = trained<two_layers<false, As>>(), by_hand = trained<two_layers<true, As>>();
  EXPECT_EQ(decided.loss, by_hand.loss);
  for (int k = 0; k < 4; ++k) EXPECT_TRUE(are_equal(decided.gradients[k], by_hand.gradients[k])) << "gradient " << k;
}

}  // namespace stg::test
