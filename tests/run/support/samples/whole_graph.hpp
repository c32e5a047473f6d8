// Samples of values of the whole graph: reductions over the vertices, losses, arithmetic on parameters.
#pragma once

#include "symbols.hpp"  // x, y, …

#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/op/list.hpp>      // all operations

namespace stg::samples {

inline constexpr auto whole_graph = [](auto v) {
  auto centred = v(x) - mean(v(x), all_vertices);
  auto variance = mean(centred * centred, all_vertices);
  return outputs(centred * rsqrt(variance + 0.1), max(v(x), all_vertices) * sum(v(y), all_vertices),
                 min(v(y), all_vertices));
};
inline constexpr auto graph_arithmetic = [](auto v) {
  auto scale = v(a) * v(a) * positive_scale + stg::exp(v(eps));
  auto head = sum(v(W) * reshape<1, 2>(v(b)), axis<1>) * scale;
  return outputs(v(x) * head, sum(scale, axis<0>), reshape<6>(v(W)) * v(eps));
};
inline constexpr auto classification = [](auto v) {
  auto logits = concat<axis<0>>(v(x), matmul(v(y), W));
  return cross_entropy(logits, v(label), v(mask)) + 0.5 * cross_entropy(logits * logits, v(label));
};
inline constexpr auto regression = [](auto v) { return outputs(mse(v(x) * v(s), v(y)), mse(v(s), v(s) * v(s))); };
inline constexpr auto links = [](auto v) {
  auto e = v.in_edges();
  auto score = sum(e.src(x) * e.dst(y), axis<0>);
  auto wanted = 1.0 / (1.0 + square(e(w)));
  return outputs(bce_with_logits(score, wanted, e.src(mask)) + mse(e(u), e.src(y)),
                 cross_entropy(e(u) * e.src(s), e.dst(label), e.dst(mask)) - mean(e(w), all_edges));
};
inline constexpr auto pooled = [](auto v) {
  auto all = mean(v(x), all_vertices);
  auto head = matmul(all, W) + b * eps;                            // (2)
  auto product = matmul(V, W * positive_scale - full<3, 2>(0.5));  // (2, 2)
  return outputs(head * stg::exp(v(s) / (1.0 + v.in_degree())) + R[1][0], product, mse(head, ones<2>() * product[-1]),
                 slice<1, 3>(v(h) * relu(B[2]) + zeros<3>(), axis<1>)[0]);
};
inline constexpr auto no_edges = [](auto v) { return v(eps) * v(x); };

}  // namespace stg::samples
