// Convolutions that aggregate what neighbours hold: sage graph gin gine edge pna.
#pragma once

#include <stg/nn/propagate.hpp>   // Vertex, unweighted_view, weigh
#include <stg/nn/transform.hpp>   // transform
#include <stg/op/for_layers.hpp>  // for_layers
#include <stg/op/list.hpp>        // sum, mean, max, concat

namespace stg::nn {

/// How sage_conv sums up neighbours.
enum class aggregate : int { mean, max, sum };

/// x_i W_self + aggregate_j(x_j) W_neighbours: x (in), both W (in, out) → (out). A vertex without in-edges gets 0 from
/// them. Hamilton et al., NeurIPS 2017, algorithm 1 without the normalisation of its line 7, where [x_i, a] W is
/// written as two products; PyG's SAGEConv.
///
///   auto y = stg::nn::sage_conv<stg::nn::aggregate::max>(v, v(x), U, W);
template <aggregate How = aggregate::mean, class X, class Self, class Neighbours>
constexpr auto sage_conv(unweighted_view v, X x, Self w_self, Neighbours w_neighbours) {
  auto e = v.in_edges();
  auto own = transform(x, w_self);
  if constexpr (How == aggregate::max) return own + transform(max(e.src(x)), w_neighbours);
  else if constexpr (How == aggregate::sum)
    return own + transform_through([e](auto h) { return sum(e.src(h)); }, x, w_neighbours);
  else return own + transform_through([e](auto h) { return mean(e.src(h)); }, x, w_neighbours);
}

/// x_i W_self + Σ_j w_ji x_j W_neighbours: x (in), both W (in, out) → (out); takes weighted(v, w) in the place of v.
/// Morris et al., AAAI 2019, the GNN with two matrices that its k-GNNs generalise; PyG's GraphConv.
template <Vertex V, Computed X, class Self, class Neighbours>
constexpr auto graph_conv(V v, X x, Self w_self, Neighbours w_neighbours) {
  auto e = v.in_edges();
  return transform(x, w_self) + transform_through([=](auto h) { return sum(weigh(v, e.src(h))); }, x, w_neighbours);
}

namespace detail {
/// (1 + eps) x, where eps is a number or a scalar.
template <class X, class Eps> constexpr auto counted_again(X x, Eps eps) {
  if constexpr (!Expression<X>) return x;
  else if constexpr (std::is_arithmetic_v<Eps>) return eps == 0 ? x : (1 + eps) * x;
  else return x + eps * x;
}
}  // namespace detail

/// mlp((1 + eps) x_i + Σ_j x_j): x (in), mlp a parameter (in, out) or a function from (in) to (out), eps a number or a
/// scalar, which may be trained → (out). Xu et al., ICLR 2019, equation 4.1; PyG's GINConv.
///
///   auto mlp = [](auto h) { return linear(relu(linear(h, W1, b1)), W2, b2); };
///   auto y = stg::nn::gin_conv(v, v(x), mlp);
template <class X, class Mlp, class Eps = double>
constexpr auto gin_conv(unweighted_view v, X x, Mlp mlp, Eps eps = Eps()) {
  return transform(detail::counted_again(x, eps) + sum(v.in_edges().src(x)), mlp);
}

/// mlp((1 + eps) x_i + Σ_j relu(x_j + u_ji)): x (in), u an edge feature or edge value (in), mlp and eps as in gin_conv
/// → (out). Hu et al., ICLR 2020, appendix A, with the relu around messages that PyG's GINEConv has.
template <class X, class U, class Mlp, class Eps = double>
constexpr auto gine_conv(unweighted_view v, X x, U u, Mlp mlp, Eps eps = Eps()) {
  auto e = v.in_edges();
  return transform(detail::counted_again(x, eps) + sum(relu(e.src(x) + e(u))), mlp);
}

/// log(in-degree + 1), averaged over the graph, as a real number of the type that it meets: δ of pna_conv where the
/// graph at hand is the one that is trained on; 1 where it has no edges.
template <scalar_type T = scalar_type::real> constexpr auto mean_log_degree(vertex_view v) {
  auto average = mean(log1p(v.template in_degree<T>()), all_vertices);
  return select(average > 0.0, average, 1.0);
}

/// max_j mlp([x_i, x_j - x_i]): x (in), mlp a parameter (2 in, out) or a function of such an edge value → (out). A
/// vertex without in-edges gets 0. A first matrix is multiplied once per vertex; what follows it in mlp is computed per
/// edge. Wang et al., ACM Transactions on Graphics 38, 2019, section 3 (edge convolution); PyG's EdgeConv.
///
///   auto mlp = [](auto m) { return matmul(relu(linear(m, W1, b1)), W2); };
///   auto y = stg::nn::edge_conv(v, v(x), mlp);
template <class X, class Mlp> constexpr auto edge_conv(unweighted_view v, X x, Mlp mlp) {
  return max(transform(concat<axis<0>>(x, v.in_edges().src(x) - x), mlp));
}

namespace detail {
/// U [x, s ⊗ a] of pna_conv.
template <class X, class Message, class Out, class Delta>
constexpr auto aggregate_and_scale(vertex_view v, X x, Message message, Out u, Delta given) {
  auto delta = for_layers::begun(given, init::ones);  // nothing is divided by 0 where it is trained
  constexpr scalar_type type = for_layers::operand_traits<X>::type;
  auto all = concat<axis<0>>(mean(message), stddev(message), max(message), min(message));  // (4 hidden)
  auto degree = v.template in_degree<type>();
  auto amplified = all * (log1p(degree) / delta);
  auto attenuated = all * (delta / log1p(max(degree, 1.0)));
  return transform(concat<axis<0>>(x, all, amplified, attenuated), u);
}
}  // namespace detail

/// U [x_i, s ⊗ a] with the messages m_ij = x_i W_dst + x_j W_src, the aggregates a = [mean, std, max, min] of them, and
/// the scalers s = [1, log(d_i + 1) / δ, δ / log(d_i + 1)]; d is the in-degree, counted as 1 in the last of them where
/// it is 0, and std that of `stddev`. x (in), W_dst and W_src (in, hidden), U (in + 12 hidden, out), δ a number or a
/// scalar → (out). Corso et al., NeurIPS 2020, section 2; PyG's PNAConv with one tower, linear pre_nns and post_nns,
/// and without the linear layer at its end.
template <class X, class Destination, class Source, class Out, class Delta>
constexpr auto pna_conv(unweighted_view v, X x, Destination w_dst, Source w_src, Out u, Delta delta) {
  auto message = v.in_edges().src(transform(x, w_src)) + transform(x, w_dst);  // (hidden) per edge
  return detail::aggregate_and_scale(v, x, message, u, delta);
}

/// The same with features of edges in the messages, m_ij = x_i W_dst + x_j W_src + f_ji W_edge: f an edge feature or
/// edge value (edge_in), W_edge (edge_in, hidden). PyG's PNAConv with edge_dim, whose edge_encoder is part of W_edge.
///
///   auto y = stg::nn::pna_conv(v, v(x), f, A, B, E, U, 1.5);
template <class X, class F, class Destination, class Source, class Edge, class Out, class Delta>
constexpr auto pna_conv(unweighted_view v, X x, F f, Destination w_dst, Source w_src, Edge w_edge, Out u, Delta delta) {
  auto e = v.in_edges();
  auto message = e.src(transform(x, w_src)) + transform(x, w_dst) + transform(e(f), w_edge);  // (hidden) per edge
  return detail::aggregate_and_scale(v, x, message, u, delta);
}

/// The parameters of one tower of pna_towers, as pna_conv has them.
template <class Destination, class Source, class Out> struct tower {
  Destination w_dst;
  Source w_src;
  Out u;
};
template <class Destination, class Source, class Out>
tower(Destination, Source, Out) -> tower<Destination, Source, Out>;

/// Several pna_conv of the same x, each with parameters of its own, one result after the other: x (in) → (the sum of
/// the towers' out). All are one sweep. Corso et al., NeurIPS 2020, section 2, after Gilmer et al., ICML 2017, section
/// 5 (multiple towers); PyG's PNAConv with towers and divide_input = False.
///
///   auto y = stg::nn::pna_towers(v, v(x), 1.5, stg::nn::tower{A1, B1, U1}, stg::nn::tower{A2, B2, U2});
template <class X, class Delta, class... Destination, class... Source, class... Out>
constexpr auto pna_towers(unweighted_view v, X x, Delta delta, tower<Destination, Source, Out>... towers) {
  if constexpr (sizeof...(Out) == 1) return pna_conv(v, x, towers.w_dst..., towers.w_src..., towers.u..., delta);
  else return concat<axis<0>>(pna_conv(v, x, towers.w_dst, towers.w_src, towers.u, delta)...);
}

// Calls that are none of these.
STG_OTHER_CALLS(vertex_or_edges, 4, 5, "sage_conv", "sage_conv(v, v(x), U, W)", mistake, sage_conv)
STG_OTHER_CALLS(vertex, 4, 4, "graph_conv", "graph_conv(v, v(x), U, W)", mistake, graph_conv)
STG_OTHER_CALLS(vertex_or_edges, 3, 5, "gin_conv", "gin_conv(v, v(x), mlp)", mistake, gin_conv)
STG_OTHER_CALLS(vertex, 4, 5, "gine_conv", "gine_conv(v, v(x), u, mlp)", mistake, gine_conv)
STG_OTHER_CALLS(vertex, 3, 3, "edge_conv", "edge_conv(v, v(x), mlp)", mistake, edge_conv)
STG_OTHER_CALLS(vertex, 6, 8, "pna_conv", "pna_conv(v, v(x), A, B, U, 1.5)", mistake, pna_conv)
STG_OTHER_CALLS(vertex, 4, 99, "pna_towers", "pna_towers(v, v(x), 1.5, tower{A, B, U})", mistake, pna_towers)

}  // namespace stg::nn
