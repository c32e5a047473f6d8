// Convolutions that aggregate what neighbours hold: sage graph gin gine edge pna.
#pragma once

#include <stg/nn/propagate.hpp>  // Vertex, weigh
#include <stg/nn/transform.hpp>  // transform
#include <stg/op/list.hpp>       // sum, mean, max, concat

namespace stg::nn {

/// How sage_conv sums up neighbours.
enum class aggregate : int { mean, max, sum };

/// x_i W_self + aggregate_j(x_j) W_neighbours: x (in), both W (in, out) → (out). A vertex without in-edges gets 0 from
/// them. Hamilton et al., NeurIPS 2017, algorithm 1 without the normalisation of its line 7, where [x_i, a] W is
/// written as two products; PyG's SAGEConv.
///
///   auto y = stg::nn::sage_conv<stg::nn::aggregate::max>(v, v(x), U, W);
template <aggregate How = aggregate::mean, class X, class Self, class Neighbours>
constexpr auto sage_conv(vertex_view v, X x, Self w_self, Neighbours w_neighbours) {
  auto e = v.in_edges();
  auto own = transform(x, w_self);
  if constexpr (How == aggregate::max) return own + transform(max(e.src(x)), w_neighbours);
  else if constexpr (How == aggregate::sum)
    return own + transform_through([e](auto h) { return sum(e.src(h)); }, x, w_neighbours);
  else return own + transform_through([e](auto h) { return mean(e.src(h)); }, x, w_neighbours);
}

/// x_i W_self + Σ_j w_ji x_j W_neighbours: x (in), both W (in, out) → (out); takes weighted(v, w) in the place of v.
/// Morris et al., AAAI 2019, equation 2; PyG's GraphConv.
template <Vertex V, class X, class Self, class Neighbours>
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
constexpr auto gin_conv(vertex_view v, X x, Mlp mlp, Eps eps = Eps()) {
  return transform(detail::counted_again(x, eps) + sum(v.in_edges().src(x)), mlp);
}

/// mlp((1 + eps) x_i + Σ_j relu(x_j + u_ji)): x (in), u an edge feature or edge value (in), mlp and eps as in gin_conv
/// → (out). Hu et al., ICLR 2020, appendix A, with the relu around messages that PyG's GINEConv has.
template <class X, class U, class Mlp, class Eps = double>
constexpr auto gine_conv(vertex_view v, X x, U u, Mlp mlp, Eps eps = Eps()) {
  auto e = v.in_edges();
  return transform(detail::counted_again(x, eps) + sum(relu(e.src(x) + e(u))), mlp);
}

/// log(in-degree + 1), averaged over the graph: δ of pna_conv where the graph at hand is the one that is trained on; 1
/// where it has no edges.
template <scalar_type T = scalar_type::f32> constexpr auto mean_log_degree(vertex_view v) {
  auto average = mean(log1p(v.template in_degree<T>()), all_vertices);
  return select(average > 0.0, average, 1.0);
}

/// max_j mlp([x_i, x_j - x_i]): x (in), mlp a parameter (2 in, out) or a function of such an edge value → (out). A
/// vertex without in-edges gets 0. A first matrix is multiplied once per vertex; what follows it in mlp is computed per
/// edge. Wang et al., ACM Transactions on Graphics 38, 2019, equations 1 and 7; PyG's EdgeConv.
///
///   auto mlp = [](auto m) { return matmul(relu(linear(m, W1, b1)), W2); };
///   auto y = stg::nn::edge_conv(v, v(x), mlp);
template <class X, class Mlp> constexpr auto edge_conv(vertex_view v, X x, Mlp mlp) {
  return max(transform(concat<axis<0>>(x, v.in_edges().src(x) - x), mlp));
}

/// U [x_i, s ⊗ a] with the messages m_ij = x_i W_dst + x_j W_src, the aggregates a = [mean, std, max, min] of them, and
/// the scalers s = [1, log(d_i + 1) / δ, δ / log(d_i + 1)]; d is the in-degree, counted as 1 in the last of them where
/// it is 0, and std that of `stddev`. x (in), W_dst and W_src (in, hidden), U (in + 12 hidden, out), δ a number or a
/// scalar → (out). Corso et al., NeurIPS 2020, section 2; PyG's PNAConv with one tower, linear pre_nns and post_nns,
/// and without the linear layer at its end.
template <class X, class Destination, class Source, class Out, class Delta>
constexpr auto pna_conv(vertex_view v, X x, Destination w_dst, Source w_src, Out u, Delta delta) {
  constexpr scalar_type type = stg::detail::operand_traits<X>::type;
  auto message = v.in_edges().src(transform(x, w_src)) + transform(x, w_dst);              // (hidden) per edge
  auto all = concat<axis<0>>(mean(message), stddev(message), max(message), min(message));  // (4 hidden)
  auto degree = v.template in_degree<type>();
  auto amplified = all * (log1p(degree) / delta);
  auto attenuated = all * (delta / log1p(max(degree, 1.0)));
  return transform(concat<axis<0>>(x, all, amplified, attenuated), u);
}

}  // namespace stg::nn
