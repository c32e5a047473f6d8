// Samples of products of vertex values with parameters, dense and sparse.
#pragma once

#include "symbols.hpp"  // x, y, …

#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/dsl/scope.hpp>    // scope, named
#include <stg/op/list.hpp>      // all operations

namespace stg::samples {

inline constexpr auto products = [](auto v) {
  auto hidden = relu(linear(v(x), W, b));
  return outputs(matmul(hidden * hidden, V) + v(y), matmul(v(h), W));
};
inline constexpr auto sparse_products = [](auto v) {
  auto hidden = matmul(dropout(v(sx), 0.5), W);  // (2)
  auto scaled = matmul(v(s) * dropout(2.0 * v(sx), 0.25) * v(eps), W);
  return outputs(hidden * stg::tanh(linear(v(sx), W, b)), sum(v.in_edges().src(scaled)), matmul(v(sz), M) + scaled);
};
inline constexpr auto convolution = [](auto v) {
  auto e = v.in_edges();
  auto scale = rsqrt(stg::max(v.template in_degree<f64>(), 1.0));
  auto layer = [&](auto in, auto weights) { return sum(e.src(matmul(in, weights) * scale)) * scale; };
  return scope<"second">(
      v, [&](auto, auto in) { return layer(in, V); }, named<"hidden">(relu(layer(v(x), W) + b)));
};

}  // namespace stg::samples
