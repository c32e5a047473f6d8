// Parameters of a graph convolution as one value, which cells take in the place of a weight: chebyshev diffusion
// relational gated_graph.
#pragma once

#include <tuple>  // tuple, apply

#include <stg/nn/conv/relational.hpp>     // rgcn_conv
#include <stg/nn/conv/spectral.hpp>       // cheb_conv
#include <stg/nn/propagate.hpp>           // Vertex, weighted_view
#include <stg/nn/recurrent/sequence.hpp>  // gru
#include <stg/nn/transform.hpp>           // transform
#include <stg/op/for_layers.hpp>          // for_layers
#include <stg/op/list.hpp>                // sum, select, reciprocal

namespace stg::nn {

/// The weights of a Chebyshev filter, each (in, out): f(v, x) is cheb_conv(v, x, W_0, W_1, …).
///
///   auto y = stg::nn::chebyshev{W, U}(v, v(x));
template <class... W> struct chebyshev {
  std::tuple<W...> weights;

  constexpr explicit chebyshev(W... w) : weights(w...) {}
  template <Vertex V, Computed X> constexpr auto operator()(V v, X x) const {
    return std::apply([&](auto... w) { return cheb_conv(v, x, w...); }, weights);
  }
  STG_OTHER_CALLS(vertex, 2, 2, "chebyshev", "chebyshev{W0, W1}(v, v(x))", mistake, operator(), const)
};

namespace detail {

/// 1 / Σ of weights, 0 where that is not above 0. Its gradient is finite everywhere.
template <class Total> constexpr auto share_of(Total total) {
  return select(total > 0.0, reciprocal(select(total > 0.0, total, 1.0)), 0.0);
}

/// Weights of edges as they are seen from where these start.
template <class Sh, scalar_type T> constexpr auto seen_from_source(expr<space::in_edge, Sh, T> weight) {
  return expr<space::out_edge, Sh, T>{weight.trace, weight.id};
}

}  // namespace detail

/// D_O^-1 A x: of where an edge leads, the mean of x by weight, a step of a random walk along out-edges. Shape as x's;
/// 0 for a vertex without out-edges, and where the sum of weights is not above 0. Takes weighted(v, w) in the place of
/// v.
template <class X> constexpr auto diffuse(vertex_view v, X x) {
  constexpr scalar_type type = for_layers::operand_traits<X>::type;
  return detail::share_of(v.template out_degree<type>()) * sum(v.out_edges().dst(x));
}
template <class Weight, class X> constexpr auto diffuse(const weighted_view<Weight>& v, X x) {
  auto weight = detail::seen_from_source(v.weight);
  return detail::share_of(sum(weight)) * sum(weight * v.out_edges().dst(x));
}
/// D_I^-1 A^T x: the same along in-edges, of where an edge comes from.
template <class X> constexpr auto diffuse_back(vertex_view v, X x) {
  constexpr scalar_type type = for_layers::operand_traits<X>::type;
  return detail::share_of(v.template in_degree<type>()) * sum(v.in_edges().src(x));
}
template <class Weight, class X> constexpr auto diffuse_back(const weighted_view<Weight>& v, X x) {
  return detail::share_of(sum(v.weight)) * sum(v.weight * v.in_edges().src(x));
}

namespace detail {
template <Vertex V, class There, class Back, class Y> constexpr auto diffusion_terms(V, There, Back, Y y) { return y; }
template <Vertex V, class There, class Back, class Y, class W, class U, class... Rest>
constexpr auto diffusion_terms(V v, There there, Back back, Y y, W w, U u, Rest... rest) {
  auto further = diffuse(v, there), further_back = diffuse_back(v, back);
  return diffusion_terms(v, further, further_back, y + transform(further, w) + transform(further_back, u), rest...);
}
}  // namespace detail

/// x W + Σ_k (P^k x F_k + Q^k x B_k) with the random walks P = D_O^-1 A along out-edges, `diffuse`, and Q = D_I^-1 A^T
/// along in-edges, `diffuse_back`: x (in), W and a pair F_k, B_k for each hop (in, out) → (out). Li et al., ICLR 2018,
/// equation 2; its two weights of x itself are one here.
///
///   auto y = stg::nn::diffusion_conv(stg::nn::weighted(v, w), v(x), W, F1, B1, F2, B2);
template <Vertex V, Computed X, class W, class... Rest> constexpr auto diffusion_conv(V v, X x, W w, Rest... rest) {
  static_assert(sizeof...(Rest) % 2 == 0,
                "stg: diffusion_conv takes a parameter for x and two for each hop, there and back: W, F1, B1");
  if constexpr (sizeof...(Rest) % 2 == 0) return detail::diffusion_terms(v, x, x, transform(x, w), rest...);
  else return transform(x, w);
}

/// The weights of a diffusion, each (in, out): f(v, x) is diffusion_conv(v, x, W, F_1, B_1, …).
template <class... W> struct diffusion {
  std::tuple<W...> weights;

  constexpr explicit diffusion(W... w) : weights(w...) {}
  template <Vertex V, Computed X> constexpr auto operator()(V v, X x) const {
    return std::apply([&](auto... w) { return diffusion_conv(v, x, w...); }, weights);
  }
  STG_OTHER_CALLS(vertex, 2, 2, "diffusion", "diffusion{W, F, B}(v, v(x))", mistake, operator(), const)
};

/// The relation of each edge and the parameters of rgcn_conv: self (in, out), bases (count, in, out), coefficients
/// (relations, count). f(v, x) is rgcn_conv(v, x, relation, self, bases, coefficients).
template <class Relation, class Self, class Bases, class Coefficients> struct relational {
  Relation relation;
  Self self;
  Bases bases;
  Coefficients coefficients;

  template <class X> constexpr auto operator()(vertex_view v, X x) const {
    return rgcn_conv(v, x, relation, self, bases, coefficients);
  }
};
template <class Relation, class Self, class Bases, class Coefficients>
relational(Relation, Self, Bases, Coefficients) -> relational<Relation, Self, Bases, Coefficients>;

/// A gated graph network: h ← gru(Σ_j w_ji h_j W_k, h) for each of the weights W_k (hidden, hidden), from h = [x, 0]
/// on: x (in) with in at most hidden, `cell` a gru{(hidden, 3 hidden), …} → (hidden). f(v, x); takes weighted(v, w).
/// Li et al., ICLR 2016, section 3; PyG's GatedGraphConv.
///
///   auto y = stg::nn::gated_graph{stg::nn::gru{M, U, b}, W1, W2}(v, v(x));
template <class Cell, class... W> struct gated_graph {
  Cell cell;
  std::tuple<W...> weights;

  constexpr explicit gated_graph(Cell gru_cell, W... w) : cell(gru_cell), weights(w...) {}
  template <Vertex V, Computed X> constexpr auto operator()(V v, X x) const {
    using first = typename for_layers::operand_traits<std::tuple_element_t<0, std::tuple<W...>>>::dims;
    using given = for_layers::operand_traits<X>;
    constexpr int more = axis_extent<first, 0> - axis_extent<typename given::dims, 0>;
    static_assert(more >= 0, "stg: gated_graph takes features that are at most as wide as its state");
    const auto steps = [&](auto h) { return std::apply([&](auto... w) { return step(v, h, w...); }, weights); };
    if constexpr (more < 0) return mistake();
    else if constexpr (more > 0) return steps(concat<axis<0>>(x, zeros<given::type, more>(v)));
    else return steps(x);
  }
  STG_OTHER_CALLS(vertex, 2, 2, "gated_graph", "gated_graph{gru{M, U, b}, W1}(v, v(x))", mistake, operator(), const)

 private:
  template <Vertex V, class H, class First, class... Rest> constexpr auto step(V v, H h, First w, Rest... rest) const {
    auto next = cell(v, sum(weigh(v, v.in_edges().src(matmul(h, w)))), h);
    if constexpr (sizeof...(Rest) == 0) return next;
    else return step(v, next, rest...);
  }
};

// Calls that are none of these.
STG_OTHER_CALLS(vertex_and_more, 2, 2, "diffuse", "diffuse(v, h)", mistake, diffuse)
STG_OTHER_CALLS(vertex_and_more, 2, 2, "diffuse_back", "diffuse_back(v, h)", mistake, diffuse_back)
STG_OTHER_CALLS(vertex, 3, 99, "diffusion_conv", "diffusion_conv(v, v(x), W, F, B)", mistake, diffusion_conv)

}  // namespace stg::nn
