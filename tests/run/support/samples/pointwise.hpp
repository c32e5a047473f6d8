// Samples of pointwise operations.
#pragma once

#include "../formulas.hpp"  // every_third
#include "symbols.hpp"      // x, y, …

#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/op/list.hpp>      // all operations

namespace stg::samples {

inline constexpr auto arithmetic = [](auto v) { return (v(x) + 2.0 * v(y)) * v(s) / v(positive) - (-v(x)); };
inline constexpr auto activations = [](auto v) {
  return relu(v(x)) + leaky_relu(v(x), 0.2) * elu(v(y), 1.5) + sigmoid(v(y)) * stg::tanh(v(x));
};
inline constexpr auto functions_0 = [](auto v) {
  return test::every_third<0>(v(x), v(y)) + stg::tan(0.5 * v(x)) * v(y);
};
inline constexpr auto functions_1 = [](auto v) { return test::every_third<1>(v(x), v(y)) * v(y); };
inline constexpr auto functions_2 = [](auto v) { return test::every_third<2>(v(y), v(x)) * v(x); };
inline constexpr auto gates = [](auto v) {
  auto first = silu(v(x)) * gelu(v(y)) + gelu(v(x), approximate::tanh) * softplus(v(y), 2.0, 3.0);
  auto second = selu(v(x)) * hardtanh(v(y), -0.7, 0.9) + clamp(v(x), -0.8, v(positive)) * reciprocal(v(positive));
  return first + second + square(v(y)) * clamp(v(y), v(s), 1.1);
};
inline constexpr auto steps = [](auto v) {
  auto seen = detach(v(x));
  auto divisor = cast<f64>(v(label)) + 0.7;
  return (stg::floor(seen) + stg::ceil(seen) * v(y)) * v(x) + stg::round(detach(v(y))) * v(y) + sign(seen) * v(x) +
         stg::fmod(v(x), divisor) * stg::fmod(v(y), 0.3);
};
inline constexpr auto logic = [](auto v) {
  auto e = v.in_edges();
  auto both = (v(x) < v(y)) & v(mask), either = both | (v(s) > 0.5), one = either ^ (v(y) < 0.0);
  auto far = select((e.src(label) == e.dst(label)) | !e.src(mask), e.src(x), e.src(y));
  return select(both, v(x), v(y)) * select(either, v(y), v(s)) + select(one & !is_nan(v(x)), v(x), 0.0) + sum(far);
};
inline constexpr auto extremes = [](auto v) {
  return stg::min(v(x), v(y)) * stg::abs(v(y)) + stg::max(v(x), 0.3) + stg::max(v(y), v(s)) * stg::min(v(x), 0.1);
};
inline constexpr auto powers = [](auto v) {
  return stg::pow(v(positive), v(x)) + stg::pow(v(x), 3.0) * stg::pow(v(positive), 0.5) + stg::pow(2.5, v(x));
};
inline constexpr auto choices = [](auto v) {
  auto largest = select(v(x) < v(y), v(x) * v(y), v(y));
  auto other = select(v(x) <= 0.5, largest, v(s)) + select(v(mask), v(x), 0.0);
  return other * select(v(label) == 1, 2.0 * v(x), v(y)) + select(v(label) != 0, v(y), v(x)) +
         select(v(x) >= v(s), v(s), v(y));
};
inline constexpr auto casts = [](auto v) {
  auto e = v.in_edges();
  auto same = cast<f64>(e.src(label) == e.dst(label));
  return cast<f64>(v(label)) * v(y) * cast<f64>(v(y) < 0.5) + sum(same * e.src(x)) +
         cast<f64>(cast<f32>(v(x)) < 0.0) * v(x);
};
inline constexpr auto used_twice = [](auto v) {
  auto square = v(x) * v(x);
  return outputs(square + square, square * v(x), square);
};

}  // namespace stg::samples
