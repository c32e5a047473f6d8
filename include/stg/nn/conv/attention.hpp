// Convolutions that weigh neighbours by attention: gat gatv2 transformer.
//
// Coefficients are a softmax over the in-edges of a vertex; a vertex without any gets the sum's 0. Loops are the
// graph's: PyTorch Geometric adds them in GATConv and GATv2Conv. The result keeps heads apart, (heads, dim):
// reshape<heads * dim> joins them, mean(y, axis<0>) averages. `attention_dropout` drops coefficients in training.
//
// Features of edges, u (edge_in), an edge feature or an edge value, stand after x; what multiplies them, W_edge
// (edge_in, heads · dim), after the parameters of vertices.
#pragma once

#include <type_traits>  // is_arithmetic_v

#include <stg/nn/propagate.hpp>   // unweighted_view
#include <stg/nn/transform.hpp>   // transform
#include <stg/op/for_layers.hpp>  // for_layers
#include <stg/op/list.hpp>        // softmax, reshape

namespace stg::nn {

namespace detail {
/// Heads of a row that is a product: (heads · dim) → (heads, dim).
template <auto... E, class X> constexpr auto reshape_as(X x, shape<E...>) {
  if constexpr (is_mistake<X>) {
    return mistake();
  } else {
    constexpr bool is_whole = for_layers::as_many_elements<typename for_layers::operand_traits<X>::dims, shape<E...>>;
    static_assert(is_whole, "stg: attention takes W with heads * dim columns, where a is (heads, dim); these differ");
    if constexpr (is_whole) return reshape<E...>(x);
    else return mistake();
  }
}

/// √n by Heron's iteration: std::sqrt is no constant expression.
constexpr double root(double n) {
  double r = n;
  for (int k = 0; k < 64; ++k) r = 0.5 * (r + n / r);
  return r;
}
/// x / √(extent of its last axis).
template <class X> constexpr auto divided_by_root(X x) {
  using dims = typename for_layers::operand_traits<X>::dims;
  constexpr auto length = axis_extent<dims, dims::rank - 1>;
  if constexpr (RuntimeExtent<decltype(length)>) return rsqrt(for_layers::axis_length<-1>(x)) * x;
  else return 1 / root(length) * x;
}
}  // namespace detail

/// Σ_j α_ij h_j with h = x W and α = softmax_j leaky_relu(a_dst · h_i + a_src · h_j): x (in), W (in, heads · dim),
/// a_src and a_dst (heads, dim) → (heads, dim). Veličković et al., ICLR 2018, equations 1 to 4; PyG's GATConv.
template <class X, class W, class Source, class Destination>
constexpr auto gat_conv(unweighted_view v, X x, W w, Source a_src, Destination a_dst, written attention_dropout = 0,
                        double slope = 0.2) {
  auto e = v.in_edges();
  auto h = detail::reshape_as(transform(x, w), typename for_layers::operand_traits<Source>::dims());
  auto score = leaky_relu(e.src(sum(h * a_src, axis<-1>, keepdim)) + sum(h * a_dst, axis<-1>, keepdim), slope);
  return sum(dropout(softmax(score), attention_dropout) * e.src(h));
}

/// The same with a_edge · u_ji W_edge added to the score before leaky_relu; a_edge (heads, dim). PyG's GATConv with
/// edge_dim.
///
///   auto y = stg::nn::gat_conv(v, v(x), u, W, E, a_src, a_dst, a_edge);
template <class X, class U, class W, class WEdge, class Source, class Destination, class Edge>
constexpr auto gat_conv(unweighted_view v, X x, U u, W w, WEdge w_edge, Source a_src, Destination a_dst, Edge a_edge,
                        written attention_dropout = 0, double slope = 0.2) {
  using heads = typename for_layers::operand_traits<Source>::dims;
  auto e = v.in_edges();
  auto h = detail::reshape_as(transform(x, w), heads());
  auto along = sum(detail::reshape_as(transform(e(u), w_edge), heads()) * a_edge, axis<-1>, keepdim);  // (heads, 1)
  auto ends = e.src(sum(h * a_src, axis<-1>, keepdim)) + sum(h * a_dst, axis<-1>, keepdim);
  return sum(dropout(softmax(leaky_relu(ends + along, slope)), attention_dropout) * e.src(h));
}

/// Σ_j α_ij x_j W_src with α = softmax_j a · leaky_relu(x_i W_dst + x_j W_src): x (in), W_src and W_dst (in, heads ·
/// dim), a (heads, dim) → (heads, dim). Brody et al., ICLR 2022, equation 7; PyG's GATv2Conv. One parameter may be
/// given for both, as share_weights does.
template <class X, class Source, class Destination, class A>
constexpr auto gatv2_conv(unweighted_view v, X x, Source w_src, Destination w_dst, A a, written attention_dropout = 0,
                          double slope = 0.2) {
  using heads = typename for_layers::operand_traits<A>::dims;
  auto e = v.in_edges();
  auto source = detail::reshape_as(transform(x, w_src), heads());       // (heads, dim)
  auto destination = detail::reshape_as(transform(x, w_dst), heads());  // (heads, dim)
  auto score = sum(leaky_relu(e.src(source) + destination, slope) * a, axis<-1>, keepdim);
  return sum(dropout(softmax(score), attention_dropout) * e.src(source));
}

/// The same with u_ji W_edge added to x_i W_dst + x_j W_src inside leaky_relu. PyG's GATv2Conv with edge_dim.
///
///   auto y = stg::nn::gatv2_conv(v, v(x), u, W, U, E, a);
template <class X, class U, class Source, class Destination, class WEdge, class A>
  requires(!std::is_arithmetic_v<A>)  // else these are vertices' parameters, a dropout and a slope
constexpr auto gatv2_conv(unweighted_view v, X x, U u, Source w_src, Destination w_dst, WEdge w_edge, A a,
                          written attention_dropout = 0, double slope = 0.2) {
  using heads = typename for_layers::operand_traits<A>::dims;
  auto e = v.in_edges();
  auto source = detail::reshape_as(transform(x, w_src), heads());       // (heads, dim)
  auto destination = detail::reshape_as(transform(x, w_dst), heads());  // (heads, dim)
  auto along = detail::reshape_as(transform(e(u), w_edge), heads());    // (heads, dim) per edge
  auto score = sum(leaky_relu(e.src(source) + destination + along, slope) * a, axis<-1>, keepdim);
  return sum(dropout(softmax(score), attention_dropout) * e.src(source));
}

namespace detail {

/// Σ_j α_ij x_j W_value with α = softmax_j (x_i W_query · x_j W_key / √dim).
template <auto Heads, auto Dim, class X, class Query, class Key, class Value>
constexpr auto dot_attention(vertex_view v, X x, Query w_query, Key w_key, Value w_value, written attention_dropout) {
  auto e = v.in_edges();
  auto query = detail::reshape_as(transform(x, w_query), shape<Heads, Dim>());
  auto key = detail::reshape_as(transform(x, w_key), shape<Heads, Dim>());
  auto value = detail::reshape_as(transform(x, w_value), shape<Heads, Dim>());
  auto score = sum(divided_by_root(query) * e.src(key), axis<-1>, keepdim);  // (heads, 1) per edge
  return sum(dropout(softmax(score), attention_dropout) * e.src(value));
}
/// The same with u_ji W_edge added to the keys and to the values.
template <auto Heads, auto Dim, class X, class U, class Query, class Key, class Value, class Edge>
constexpr auto dot_attention(vertex_view v, X x, U u, Query w_query, Key w_key, Value w_value, Edge w_edge,
                             written attention_dropout) {
  auto e = v.in_edges();
  auto query = detail::reshape_as(transform(x, w_query), shape<Heads, Dim>());
  auto along = detail::reshape_as(transform(e(u), w_edge), shape<Heads, Dim>());  // per edge
  auto key = e.src(detail::reshape_as(transform(x, w_key), shape<Heads, Dim>())) + along;
  auto value = e.src(detail::reshape_as(transform(x, w_value), shape<Heads, Dim>())) + along;
  auto score = sum(divided_by_root(query) * key, axis<-1>, keepdim);  // (heads, 1) per edge
  return sum(dropout(softmax(score), attention_dropout) * value);
}

/// β self + (1 - β) near with β = σ([near, self, near - self] W): near and self (heads, dim), W (3 · heads · dim, 1).
template <auto Heads, auto Dim, class Near, class Self, class W>
constexpr auto gated_residual(Near near, Self self, W w) {
  auto flat = [](auto y) { return reshape<Heads * Dim>(y); };
  auto beta = sigmoid(transform(concat<axis<0>>(flat(near), flat(self), flat(near - self)), w));  // (1)
  return beta * self + (1 - beta) * near;
}

}  // namespace detail

/// x_i W_self + Σ_j α_ij x_j W_value with α = softmax_j (x_i W_query · x_j W_key / √dim): x (in), each W (in, heads ·
/// dim) → (heads, dim). Shi et al., IJCAI 2021, section 3 (Graph Transformer) without its gated residual
/// connection; PyG's TransformerConv with beta = False.
///
///   auto y = stg::nn::transformer_conv<8, 16>(v, v(x), Q, K, V, S);
template <auto Heads, auto Dim, class X, class Query, class Key, class Value, class Self>
constexpr auto transformer_conv(unweighted_view v, X x, Query w_query, Key w_key, Value w_value, Self w_self,
                                written attention_dropout = 0) {
  return detail::reshape_as(transform(x, w_self), shape<Heads, Dim>()) +
         detail::dot_attention<Heads, Dim>(v, x, w_query, w_key, w_value, attention_dropout);
}

/// β_i r_i + (1 - β_i) h_i with r_i = x_i W_self, h_i the attention's sum and β_i = σ([h_i, r_i, h_i - r_i] W_beta):
/// W_beta (3 · heads · dim, 1). The paper's gated residual connection; PyG's TransformerConv with beta = True.
///
///   auto y = stg::nn::transformer_conv<8, 16>(v, v(x), Q, K, V, S, B);
template <auto Heads, auto Dim, class X, class Query, class Key, class Value, class Self, class Beta>
  requires(!std::is_arithmetic_v<Beta>)  // else it is a dropout
constexpr auto transformer_conv(unweighted_view v, X x, Query w_query, Key w_key, Value w_value, Self w_self,
                                Beta w_beta, written attention_dropout = 0) {
  auto near = detail::dot_attention<Heads, Dim>(v, x, w_query, w_key, w_value, attention_dropout);
  return detail::gated_residual<Heads, Dim>(near, detail::reshape_as(transform(x, w_self), shape<Heads, Dim>()),
                                            w_beta);
}

/// The first with u_ji W_edge added to the keys and to the values, as the paper does. PyG's TransformerConv with
/// edge_dim.
///
///   auto y = stg::nn::transformer_conv<8, 16>(v, v(x), u, Q, K, V, E, S);
template <auto Heads, auto Dim, class X, class U, class Query, class Key, class Value, class Edge, class Self>
  requires(!std::is_arithmetic_v<Self>)  // else these are vertices' parameters, a gate's and a dropout
constexpr auto transformer_conv(unweighted_view v, X x, U u, Query w_query, Key w_key, Value w_value, Edge w_edge,
                                Self w_self, written attention_dropout = 0) {
  return detail::reshape_as(transform(x, w_self), shape<Heads, Dim>()) +
         detail::dot_attention<Heads, Dim>(v, x, u, w_query, w_key, w_value, w_edge, attention_dropout);
}

/// The gated one with features of edges: the whole of the paper's layer.
///
///   auto y = stg::nn::transformer_conv<8, 16>(v, v(x), u, Q, K, V, E, S, B);
template <auto Heads, auto Dim, class X, class U, class Query, class Key, class Value, class Edge, class Self,
          class Beta>
  requires(!std::is_arithmetic_v<Beta>)  // else it is a dropout
constexpr auto transformer_conv(unweighted_view v, X x, U u, Query w_query, Key w_key, Value w_value, Edge w_edge,
                                Self w_self, Beta w_beta, written attention_dropout = 0) {
  auto near = detail::dot_attention<Heads, Dim>(v, x, u, w_query, w_key, w_value, w_edge, attention_dropout);
  return detail::gated_residual<Heads, Dim>(near, detail::reshape_as(transform(x, w_self), shape<Heads, Dim>()),
                                            w_beta);
}

// Calls that are none of these.
STG_OTHER_CALLS(vertex_or_edges, 5, 10, "gat_conv", "gat_conv(v, v(x), W, a_src, a_dst)", mistake, gat_conv)
STG_OTHER_CALLS(vertex_or_edges, 5, 9, "gatv2_conv", "gatv2_conv(v, v(x), W_src, W_dst, a)", mistake, gatv2_conv)
STG_OTHER_CALLS(vertex, 6, 10, "transformer_conv", "transformer_conv<8, 16>(v, v(x), Q, K, V, S)", mistake,
                transformer_conv)

}  // namespace stg::nn
