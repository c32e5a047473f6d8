// Convolutions that weigh neighbours by attention: gat gatv2 transformer.
//
// Coefficients are a softmax over the in-edges of a vertex; a vertex without any gets the sum's 0. Loops are the
// graph's: PyTorch Geometric adds them in GATConv and GATv2Conv. The result keeps heads apart, (heads, dim):
// reshape<heads * dim> joins them, mean(y, axis<0>) averages. `attention_dropout` drops coefficients in training.
#pragma once

#include <stg/dsl/vertex.hpp>    // vertex_view
#include <stg/nn/transform.hpp>  // transform
#include <stg/op/list.hpp>       // softmax, reshape

namespace stg::nn {

namespace detail {
template <auto... E, class X> constexpr auto reshape_as(X x, shape<E...>) { return reshape<E...>(x); }

/// √n by Heron's iteration: std::sqrt is no constant expression.
constexpr double root(double n) {
  double r = n;
  for (int k = 0; k < 64; ++k) r = 0.5 * (r + n / r);
  return r;
}
/// x / √(extent of its last axis).
template <class X> constexpr auto divided_by_root(X x) {
  using dims = typename stg::detail::operand_traits<X>::dims;
  constexpr auto length = axis_extent<dims, dims::rank - 1>;
  if constexpr (RuntimeExtent<decltype(length)>) return rsqrt(stg::detail::axis_length<-1>(x)) * x;
  else return 1 / root(length) * x;
}
}  // namespace detail

/// Σ_j α_ij h_j with h = x W and α = softmax_j leaky_relu(a_dst · h_i + a_src · h_j): x (in), W (in, heads · dim),
/// a_src and a_dst (heads, dim) → (heads, dim). Veličković et al., ICLR 2018, equations 1 to 4; PyG's GATConv.
template <class X, class W, class Source, class Destination>
constexpr auto gat_conv(vertex_view v, X x, W w, Source a_src, Destination a_dst, double attention_dropout = 0,
                        double slope = 0.2) {
  auto e = v.in_edges();
  auto h = detail::reshape_as(transform(x, w), typename stg::detail::operand_traits<Source>::dims());
  auto score = leaky_relu(e.src(sum(h * a_src, axis<-1>, keepdim)) + sum(h * a_dst, axis<-1>, keepdim), slope);
  return sum(dropout(softmax(score), attention_dropout) * e.src(h));
}

/// Σ_j α_ij x_j W_src with α = softmax_j a · leaky_relu(x_i W_dst + x_j W_src): x (in), W_src and W_dst (in, heads ·
/// dim), a (heads, dim) → (heads, dim). Brody et al., ICLR 2022, equation 7; PyG's GATv2Conv without edge features. One
/// parameter may be given for both, as share_weights does.
template <class X, class Source, class Destination, class A>
constexpr auto gatv2_conv(vertex_view v, X x, Source w_src, Destination w_dst, A a, double attention_dropout = 0,
                          double slope = 0.2) {
  using heads = typename stg::detail::operand_traits<A>::dims;
  auto e = v.in_edges();
  auto source = detail::reshape_as(transform(x, w_src), heads());       // (heads, dim)
  auto destination = detail::reshape_as(transform(x, w_dst), heads());  // (heads, dim)
  auto score = sum(leaky_relu(e.src(source) + destination, slope) * a, axis<-1>, keepdim);
  return sum(dropout(softmax(score), attention_dropout) * e.src(source));
}

/// x_i W_self + Σ_j α_ij x_j W_value with α = softmax_j (x_i W_query · x_j W_key / √dim): x (in), each W (in, heads ·
/// dim) → (heads, dim). Shi et al., IJCAI 2021, equations 3 and 4; PyG's TransformerConv without edge features and
/// without the gate of equation 5.
///
///   auto y = stg::nn::transformer_conv<8, 16>(v, v(x), Q, K, V, S);
template <auto Heads, auto Dim, class X, class Query, class Key, class Value, class Self>
constexpr auto transformer_conv(vertex_view v, X x, Query w_query, Key w_key, Value w_value, Self w_self,
                                double attention_dropout = 0) {
  auto e = v.in_edges();
  auto query = reshape<Heads, Dim>(transform(x, w_query));
  auto key = reshape<Heads, Dim>(transform(x, w_key));
  auto value = reshape<Heads, Dim>(transform(x, w_value));
  auto score = sum(detail::divided_by_root(query) * e.src(key), axis<-1>, keepdim);  // (heads, 1) per edge
  return reshape<Heads, Dim>(transform(x, w_self)) + sum(dropout(softmax(score), attention_dropout) * e.src(value));
}

}  // namespace stg::nn
