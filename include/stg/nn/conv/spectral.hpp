// Convolutions that are polynomials and rational functions of P = D^-1/2 A D^-1/2: gcn cheb tag sgc appnp arma.
//
// PyTorch Geometric adds self-loops in some of its layers and removes them in others; here loops are the graph's, and
// each layer says which graph is meant. Degrees are in-degrees, loops and parallel edges counted. All of them take
// weighted(v, w) in the place of v. Biases are added to the result: gcn_conv(v, x, W) + b.
#pragma once

#include <stg/base/instead.hpp>  // STG_INSTEAD_FOR
#include <stg/nn/propagate.hpp>  // propagate, Vertex
#include <stg/nn/transform.hpp>  // transform

namespace stg::nn {

/// P x W: x (in), W (in, out) → (out). Meant for a graph with `add_self_loops`.
/// Kipf and Welling, ICLR 2017, equation 2; PyG's GCNConv.
template <Vertex V, Computed X, class W> constexpr auto gcn_conv(V v, X x, W w) {
  return propagate(v, transform(x, w));
}

namespace detail {

/// The Laplacian I - P with its spectrum scaled from [0, largest] to [-1, 1]: 2 / largest · (I - P) - I.
template <Vertex V, class X> constexpr auto scaled_laplacian(V v, X x, double largest) {
  if (largest == 2) return -propagate(v, x);
  return (2 / largest - 1) * x - (2 / largest) * propagate(v, x);
}

/// T_k(L) x W_k + T_k+1(L) x W_k+1 + …, where `current` is T_k(L) x and `previous` T_k-1(L) x.
template <Vertex V, class Previous, class X, class W, class... Rest>
constexpr auto chebyshev_terms(V v, double largest, Previous previous, X current, W w, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    return transform(current, w);
  } else {
    auto next = 2.0 * scaled_laplacian(v, current, largest) - previous;
    return transform(current, w) + chebyshev_terms(v, largest, current, next, rest...);
  }
}

}  // namespace detail

/// Σ_k T_k(L) x W_k over the weights given, with T_0 = 1, T_1(L) = L, T_k = 2 L T_k-1 - T_k-2 and L the scaled
/// Laplacian; `largest_eigenvalue` is that of I - P and at most 2. x (in), each W (in, out) → (out). Meant for a graph
/// without loops. Defferrard et al., NeurIPS 2016, equation 4; PyG's ChebConv with sym normalisation.
template <Vertex V, Computed X, class W, class... Rest>
constexpr auto cheb_conv(V v, X x, written largest_eigenvalue, W w, Rest... rest) {
  const double largest = largest_eigenvalue;
  if constexpr (Expression<X>)
    if (!(largest > 0 && largest <= 2))
      x.trace->note(ir::mistake::eigenvalue_outside, text("cheb_conv"), largest_eigenvalue.line);
  auto own = transform(x, w);
  if constexpr (sizeof...(Rest) == 0) return own;
  else return own + detail::chebyshev_terms(v, largest, x, detail::scaled_laplacian(v, x, largest), rest...);
}
template <Vertex V, Computed X, class W, class... Rest>
  requires(!std::is_arithmetic_v<W>)
constexpr auto cheb_conv(V v, X x, W w, Rest... rest) { return cheb_conv(v, x, 2.0, w, rest...); }

/// Σ_k P^k x W_k over the weights given: x (in), each W (in, out) → (out). Du et al., arXiv:1710.10370;
/// PyG's TAGConv, which adds no loops.
template <Vertex V, Computed X, class W, class... Rest> constexpr auto tag_conv(V v, X x, W w, Rest... rest) {
  auto own = transform(x, w);
  if constexpr (sizeof...(Rest) == 0) return own;
  else return own + tag_conv(v, propagate(v, x), rest...);
}

/// P^hops x W: x (in), W (in, out) → (out). Meant for a graph with `add_self_loops`; with `fixed(x)` the hops are
/// computed once. Wu et al., ICML 2019, section 2 (simple graph convolution); PyG's SGConv.
template <Vertex V, Computed X, class W, class Hops>
STG_SAYS_HOPS(Hops, "sgc", "sgc(v, v(x), W, 2)")
constexpr auto sgc(V v, X x, W w, Hops hops, here called = here()) {
  STG_CHECK_HOPS(Hops, "sgc", "sgc(v, v(x), W, 2)");
  if constexpr (detail::is_count<Hops>)
    return transform_through([=](auto h) { return propagate_times(v, h, hops, called); }, x, w);
  else return mistake();
}

/// Personalised PageRank by `hops` steps: Z ← (1 - alpha) P Z + alpha h, from Z = h on. Shape as h's. `edge_dropout`
/// drops edges in training, anew in every step (PyG goes on from what the step before had dropped). Meant for a graph
/// with `add_self_loops`. Klicpera et al., ICLR 2019, equation 4; PyG's APPNP.
///
/// Hops are whole and 0 or more, and alpha lies between 0 and 1: `appnp(v, h, 0.1, 10)` is an error that says so.
///
///   auto z = stg::nn::appnp(v, h, 10, 0.1);
template <Vertex V, Computed H, class Hops>
STG_SAYS_HOPS(Hops, "appnp", "appnp(v, h, 10, 0.1)")
constexpr auto appnp(V v, H h, Hops hops, written alpha, written edge_dropout = 0) {
  STG_CHECK_HOPS(Hops, "appnp", "appnp(v, h, 10, 0.1)");
  auto z = h;
  if constexpr (Expression<H> && detail::is_count<Hops>) {
    const double back = alpha;
    if (!(back >= 0 && back <= 1)) h.trace->note(ir::mistake::share_outside, text("alpha"), alpha.line);
    const int times = detail::hops_of(h, hops, alpha.line);
    for (int k = 0; k < times; ++k) {
      auto around = edge_dropout == 0 ? propagate(v, z) : propagate(v, z, edge_dropout);
      z = (1 - back) * around + back * h;
    }
  }
  return z;
}

namespace detail {
template <Vertex V, class H, class X, class W, class Skip, class... Rest>
constexpr auto arma_steps(V v, H h, X x, W w, Skip skip, Rest... rest) {
  auto next = relu(propagate(v, transform(h, w)) + transform(x, skip));
  if constexpr (sizeof...(Rest) < 2) return next;
  else return arma_steps(v, next, x, rest...);
}
}  // namespace detail

/// One stack of ARMA filters: h ← relu(P h W_t + x V_t) from h = x on, a pair W_t, V_t for each step. x (in), the first
/// W (in, out), the others (out, out), each V (in, out) → (out). Several stacks are averaged by the caller, and a
/// function in the place of V brings bias and dropout of the skip connection. Bianchi et al., IEEE TPAMI 44, 2022;
/// PyG's ARMAConv, which adds no loops.
template <Vertex V, Computed X, class W, class Skip, class... Rest>
constexpr auto arma_conv(V v, X x, W w, Skip skip, Rest... rest) {
  static_assert(sizeof...(Rest) % 2 == 0, "stg: arma_conv takes two parameters for each step: W1, V1, W2, V2");
  return detail::arma_steps(v, x, x, w, skip, rest...);
}

// Calls that are none of these.
STG_OTHER_CALLS(vertex, 3, 3, "gcn_conv", "gcn_conv(v, v(x), W)", mistake, gcn_conv)
STG_OTHER_CALLS(vertex, 3, 99, "cheb_conv", "cheb_conv(v, v(x), W0, W1)", mistake, cheb_conv)
STG_OTHER_CALLS(vertex, 3, 99, "tag_conv", "tag_conv(v, v(x), W0, W1)", mistake, tag_conv)
STG_OTHER_CALLS(vertex, 4, 4, "sgc", "sgc(v, v(x), W, 2)", mistake, sgc)
STG_INSTEAD_FOR((class X, std::integral Hops, class W), sizeof(W) == 0,
                "stg: sgc takes the weight, then the number of hops: sgc(v, v(x), W, 2)",
                constexpr mistake sgc(vertex_view, const X&, Hops, const W&))
STG_OTHER_CALLS(vertex, 4, 5, "appnp", "appnp(v, h, 10, 0.1)", mistake, appnp)
STG_OTHER_CALLS(vertex, 4, 99, "arma_conv", "arma_conv(v, v(x), W, V)", mistake, arma_conv)

}  // namespace stg::nn
