// Samples of edges: aggregates along in-edges and out-edges, values and products per edge.
#pragma once

#include "symbols.hpp"  // x, y, …

#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/gradient.hpp>     // gradient
#include <stg/op/list.hpp>      // all operations

namespace stg::samples {

inline constexpr auto sums = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return sum(e.src(x) * e.dst(y) * e(w)) + sum(o.dst(x) * o(u)) * v(y);
};
inline constexpr auto means = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return mean(e.src(x) * e(u)) + mean(o.dst(y) * o(w)) * mean(e.src(s));
};
inline constexpr auto maxima = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return max(e.src(x) + e(u)) + min(e.src(y) * e(w)) * v(x) + max(o.dst(y) * o(u)) + min(o.dst(x) - o(u));
};
inline constexpr auto factors = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return prod(e.src(x) + 0.3 * e(w)) * v(y) + prod(o(u)) +
         sum(e.src(prod(e.src(wide))) * v(A), axis<1>, keepdim) * v(s);
};
inline constexpr auto spreads = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  return outputs(var(e.src(x) * e(w)) + stddev(o(u)) * v(x), mean(e.src(y)) + var(e.src(y)) * stddev(e.src(y)),
                 var(o.dst(wide)), argmax(e.src(x)), argmin(o(u)), count<f64>(e(u) > 0.2) * v(y));
};
inline constexpr auto edge_products = [](auto v) {  // an edge's own network, an edge's view of both ends, NNConv
  auto e = v.in_edges();
  auto o = v.out_edges();
  auto hidden = stg::tanh(matmul(e(u), W) + v(b));
  auto ends = concat<axis<0>>(e.dst(x), e.src(x) - e.dst(x));
  auto both = concat<axis<0>>(v(W), 0.5 * v(W));
  auto view = relu(matmul(ends, both));
  auto of_graph = matmul(concat<axis<0>>(e.src(y) - e.dst(y), mean(v(x), all_vertices)), both) +
                  matmul(concat<axis<0>>(v(a), e(u)), both);  // what the graph knows beside what an edge does
  return outputs(sum(matmul(hidden, V) * e.src(y)), max(view) + sum(matmul(e(w) * e(u), W)), matmul(o(u) * o(u), W),
                 sum(matmul(e.src(y), reshape<3, 1>(e(u)) * reshape<1, 3>(v(a)))), sum(stg::tanh(of_graph)));
};
inline constexpr auto relations = [](auto v) {
  auto e = v.in_edges();
  auto o = v.out_edges();
  auto near = sum(matmul(e.src(x), R[e(relation)]) + Q[e(relation)] * e(w));
  return outputs(near * transpose<0, 1>(v(h))[v(label)], sum(e(w) * Q[v(label)]) * Q[v(label)] + sum(Q[o(relation)]),
                 sum(transpose<1, 2>(v(R))[e(relation)] * e.src(h)[e(relation)]));
};
inline constexpr auto slopes = [](auto v) {  // as gradient penalties are
  auto e = v.in_edges();
  auto near = sum(softmax(e.src(s) * e(w)) * e.src(v(x) * v(y))) + var(e.src(x) * e(w));
  auto total = sum(sum(stg::tanh(matmul(near, W)) * v(b), axis<0>), all_vertices);
  return outputs(square(gradient(total, v(x))) * v(y), gradient(total, v(W)), gradient(total, e(w)) * e(w));
};
inline constexpr auto rows_of_rows = [](auto v) {  // values per edge that are used twice, made of each other
  auto e = v.in_edges();
  auto first = e.src(wide) + v(wide);
  auto second = stg::tanh(first);
  return outputs(sum(stg::exp(e.src(s) + v(s)) * second), sum(second * first));
};
inline constexpr auto two_hops = [](auto v) {
  auto e = v.in_edges();
  auto once = stg::tanh(sum(e.src(x)) + v(x));
  auto twice = sum(e.src(once) * e(w)) * v(y);
  return outputs(sum(v.out_edges().dst(twice)), once);
};
inline constexpr auto edge_output = [](auto v) {
  auto e = v.in_edges();
  return outputs(e.src(x) * v(y) + e(w), e(u) * e(u), sum(e.dst(x) * e(u), axis<0>));
};
inline constexpr auto edge_features = [](auto v) {
  auto e = v.in_edges();
  auto joined = concat<axis<0>>(e.src(x), e(u));
  auto part = slice<2, 5>(joined) * slice<0, 3>(joined);
  return sum(softmax(part, axis<0>) * max(joined, axis<0>) + reshape<3>(e.src(y)));
};
inline constexpr auto parameters_on_edges = [](auto v) {
  auto e = v.in_edges();
  auto message = relu(e.src(x) * a + e(u) * eps);
  return sum(message * stg::exp(v(a)));
};
inline constexpr auto degrees = [](auto v) {
  auto scale = rsqrt(v.template in_degree<f64>() + v.template out_degree<f64>() + 1.0);
  return sum(v.in_edges().src(v(x) * scale)) * scale;
};

}  // namespace stg::samples
