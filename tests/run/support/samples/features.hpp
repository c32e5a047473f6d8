// Samples of what works along feature axes: reductions, softmax, shapes, run-time extents.
#pragma once

#include "symbols.hpp"  // x, y, …

#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/op/list.hpp>      // all operations

namespace stg::samples {

inline constexpr auto feature_reductions = [](auto v) {
  auto per_head = sum(v(h), axis<1>) * mean(v(h), axis<-1>) + max(v(h), axis<1>);
  return outputs(per_head, v(h) - mean(v(h), axis<0>, keepdim), min(v(h), axis<0>) * sum(v(x), axis<0>));
};
inline constexpr auto feature_softmax = [](auto v) {
  return outputs(softmax(v(h), axis<1>) * v(h), log_softmax(v(x)), log_sum_exp(v(h), axis<0>, keepdim));
};
inline constexpr auto shapes = [](auto v) {
  auto joined = concat<axis<0>>(v(h), reshape<1, 3>(v(x) * v(y)));
  auto part = slice<1, 3>(joined, axis<0>) * slice<0, 1>(joined, axis<0>) * slice<2, 3>(v(h));
  return reshape<6>(part) + concat<axis<0>>(v(x), v(y)) * v(s);
};
inline constexpr auto broadcasting = [](auto v) {
  auto outer = reshape<3, 1>(v(x)) * reshape<1, 3>(v(y));
  return sum(outer * outer, axis<0>) + v(x) * v(a);
};
inline constexpr auto runtime_extents = [](auto v) {
  auto e = v.in_edges();
  auto near = sum(e.src(z) * e(w));
  auto both = concat<axis<0>>(near, v(z));
  return outputs(mean(both * both, axis<0>), matmul(stg::tanh(v(z)), M), sum(v(zz) * v(z), axis<0>),
                 softmax(v(zz), axis<1>) * v(zz), slice<0, 2>(v(z)) * v(b));
};
// Degrees and numbers of the graph have no row of their own, which a reshape or what moves parts of rows could read.
inline constexpr auto sources = [](auto v) {
  auto degree = v.template in_degree<f64>();
  auto count = v.template vertex_count<f64>();
  auto joined = concat<axis<0>>(concat<axis<0>>(v(x), reshape<1>(degree)), reshape<1>(count));
  auto by_degree = pick(v(h), v.template in_degree<i32>()) * reshape<1>(degree);
  return outputs(joined, by_degree + reshape<1>(count) * gradient(sum(v(a) * v(a), axis<0>), v(a)));
};

}  // namespace stg::samples
