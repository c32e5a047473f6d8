// Graph convolutions, each a few lines of the user's own language.
#pragma once

#include <stg/dsl/vertex.hpp>  // vertex_view
#include <stg/op/list.hpp>     // sum, softmax, matmul, …

namespace stg::nn {

/// 1 / √degree over in-edges, 0 for a vertex without any: the symmetric normalisation's factor. Shape ().
template <scalar_type T = scalar_type::f32> constexpr auto inverse_sqrt_degree(vertex_view v) {
  auto degree = v.template in_degree<T>();
  return select(degree > 0.0, rsqrt(degree), 0.0);
}

/// D^-1/2 A D^-1/2 x W over in-edges: x (in), W (in, out) → (out). Self-loops are the graph's (`add_self_loops`).
/// Kipf and Welling, ICLR 2017, equation 2.
template <class X, class W> constexpr auto gcn_conv(vertex_view v, X x, W w) {
  auto e = v.in_edges();
  auto norm = inverse_sqrt_degree<stg::detail::operand_traits<X>::type>(v);
  return norm * sum(e.src(norm * matmul(x, w)));
}

namespace detail {
template <auto... E, class X> constexpr auto reshape_as(X x, shape<E...>) { return reshape<E...>(x); }
}  // namespace detail

/// Attention over in-edges: x (in), W (in, heads · dim), a_src and a_dst (heads, dim) → (heads, dim).
/// `attention_dropout` drops coefficients in training. Veličković et al., ICLR 2018, equations 1 to 4.
template <class X, class W, class Source, class Destination>
constexpr auto gat_conv(vertex_view v, X x, W w, Source a_src, Destination a_dst, double attention_dropout = 0,
                        double slope = 0.2) {
  auto e = v.in_edges();
  auto h = detail::reshape_as(matmul(x, w), typename stg::detail::operand_traits<Source>::dims());
  auto score = leaky_relu(e.src(sum(h * a_src, axis<-1>, keepdim)) + sum(h * a_dst, axis<-1>, keepdim), slope);
  return sum(dropout(softmax(score), attention_dropout) * e.src(h));
}

}  // namespace stg::nn
