// Convolutions in which the vertex decides what of its neighbours' messages passes: res_gated film.
#pragma once

#include <stg/nn/propagate.hpp>  // unweighted_view
#include <stg/nn/transform.hpp>  // transform
#include <stg/op/list.hpp>       // sum, mean, sigmoid, relu

namespace stg::nn {

/// x_i W_self + Σ_j η_ij ⊙ x_j W_value with the gate η_ij = sigmoid(x_i G_dst + x_j G_src): x (in), each parameter (in,
/// out) → (out). Bresson and Laurent, arXiv:1711.07553; PyG's ResGatedGraphConv.
template <class X, class Self, class Value, class Destination, class Source>
constexpr auto res_gated_conv(unweighted_view v, X x, Self w_self, Value w_value, Destination g_dst, Source g_src) {
  auto e = v.in_edges();
  auto gate = sigmoid(e.src(transform(x, g_src)) + transform(x, g_dst));  // (out) per edge
  return transform(x, w_self) + sum(gate * e.src(transform(x, w_value)));
}

/// The same with features of edges in both: the gate is sigmoid(x_i G_dst + x_j G_src + u_ji G_edge), and what passes
/// through it x_j W_value + u_ji W_edge: u an edge feature or edge value (edge_in), its parameters (edge_in, out).
/// PyG's ResGatedGraphConv with edge_dim, whose two matrices for the gate's u are G_edge in sum.
///
///   auto y = stg::nn::res_gated_conv(v, v(x), u, W, V, E, Gi, Gj, Ge);
template <class X, class U, class Self, class Value, class WEdge, class Destination, class Source, class GEdge>
constexpr auto res_gated_conv(unweighted_view v, X x, U u, Self w_self, Value w_value, WEdge w_edge, Destination g_dst,
                              Source g_src, GEdge g_edge) {
  auto e = v.in_edges();
  auto gate = sigmoid(e.src(transform(x, g_src)) + transform(x, g_dst) + transform(e(u), g_edge));  // (out) per edge
  return transform(x, w_self) + sum(gate * (e.src(transform(x, w_value)) + transform(e(u), w_edge)));
}

/// The maps of one relation of film_conv: x W scaled by the factor γ = x G and shifted by β = x B. Each is a parameter
/// (in, out) or a function.
template <class W, class G, class B> struct modulation {
  W w;
  G gamma;
  B beta;
};
template <class W, class G, class B> modulation(W, G, B) -> modulation<W, G, B>;

/// relu(γ_s ⊙ x_i W_s + β_s) + mean_j relu(γ_i ⊙ x_j W + β_i) with γ = x G and β = x B of the vertex itself: x (in),
/// each parameter (in, out) → (out). The first term is the relation of loops that the paper adds; the second stands for
/// one relation. Brockschmidt, ICML 2020; PyG's FiLMConv, whose films hold β and γ in one matrix.
///
///   auto y = stg::nn::film_conv(v, v(x), stg::nn::modulation{Ws, Gs, Bs}, stg::nn::modulation{W, G, B});
template <class X, class Ws, class Gs, class Bs, class W, class G, class B>
constexpr auto film_conv(unweighted_view v, X x, modulation<Ws, Gs, Bs> self, modulation<W, G, B> neighbours) {
  auto own = relu(transform(x, self.gamma) * transform(x, self.w) + transform(x, self.beta));
  auto gamma = transform(x, neighbours.gamma);
  auto beta = transform(x, neighbours.beta);
  return own + mean(relu(gamma * v.in_edges().src(transform(x, neighbours.w)) + beta));
}

// Calls that are none of these.
STG_OTHER_CALLS(vertex, 6, 9, "res_gated_conv", "res_gated_conv(v, v(x), W, V, Gi, Gj)", mistake, res_gated_conv)
STG_OTHER_CALLS(vertex, 4, 4, "film_conv", "film_conv(v, v(x), modulation{...}, modulation{...})", mistake, film_conv)

}  // namespace stg::nn
