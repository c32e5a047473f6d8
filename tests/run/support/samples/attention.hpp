// Samples of attention: softmax over the edges of a vertex, and the logarithm of its sum.
#pragma once

#include "symbols.hpp"  // x, y, …

#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/op/list.hpp>      // all operations

namespace stg::samples {

inline constexpr auto attention = [](auto v) {
  auto e = v.in_edges();
  auto score = leaky_relu(sum(e.src(h), axis<1>, keepdim) + sum(v(h) * v(a), axis<1>, keepdim), 0.2);
  return sum(softmax(score) * e.src(h));
};
inline constexpr auto dropped_attention = [](auto v) {
  auto e = v.in_edges();
  auto heads = softmax(sum(e.src(h), axis<1>, keepdim) * v(s));
  auto single = softmax(e(w) * v(s));
  return outputs(sum(dropout(heads, 0.5) * e.src(h)), sum(dropout(single, 0.25) * e.src(x)), sum(single * e.src(y)));
};
inline constexpr auto bilinear_attention = [](auto v) {
  auto e = v.in_edges();
  return sum(softmax(sum(matmul(v(x), B) * e.src(y), axis<0>)) * e.src(x));
};
inline constexpr auto out_attention = [](auto v) {
  auto o = v.out_edges();
  return sum(softmax(o.dst(x) * o(w)) * o.dst(y));
};
inline constexpr auto scored_pairs = [](auto v) {  // as GATv2
  auto e = v.in_edges();
  auto pair = leaky_relu(e.src(wide) + v(wide), 0.2);
  return sum(softmax(sum(pair * v(A), axis<1>, keepdim)) * e.src(wide));
};
inline constexpr auto soft_maximum = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  auto in = select(v.template in_degree<f64>() > 0.0, log_sum_exp(e.src(x) * e(w)), 0.0);
  auto out = select(v.template out_degree<f64>() > 0.0, log_sum_exp(o(u) + v(x)), 0.0);
  return in * out;
};

}  // namespace stg::samples
