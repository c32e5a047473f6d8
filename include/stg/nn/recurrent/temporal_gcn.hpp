// A GRU behind a graph convolution, and attention over what it gives: tgcn a3tgcn.
#pragma once

#include <tuple>  // get

#include <stg/dsl/scan_body.hpp>       // scan_over_values
#include <stg/nn/conv/spectral.hpp>    // gcn_conv
#include <stg/nn/propagate.hpp>        // Vertex, weighted
#include <stg/nn/recurrent/gates.hpp>  // gru_step
#include <stg/nn/transform.hpp>        // transform
#include <stg/op/for_layers.hpp>       // for_layers

namespace stg::nn {

/// A GRU that reads what a graph convolution f makes of x, gates in the order reset, update, candidate: graph a
/// parameter (in, features) for f = P x W, `gcn_conv`, or a function of vertex and value; input (features, 3 hidden),
/// state (hidden, 2 hidden) for reset and update, candidate (hidden, hidden), each a parameter or a function; bias (3
/// hidden). cell(v, x, h) is the next h (hidden):
///
///   r = σ(f W_r + h U_r + b_r), z likewise, h ← z ⊙ h + (1 - z) ⊙ tanh(f W_n + (r ⊙ h) C + b_n)
///
/// Zhao et al., IEEE T-ITS 21, 2020, section III, where f is two such convolutions: a function. PyG-T's TGCN has a
/// gcn_conv of its own for each gate. Meant for a graph with `add_self_loops`.
///
///   stg::nn::tgcn cell{W, I, U, C, b};
///   auto h = scan<"T">(v, [=](auto v, auto h) { return cell(stg::nn::weighted(v, w), v(x), h); }, zeros<16>(v));
template <class Graph, class Input, class State, class Candidate, class Bias> struct tgcn {
  Graph graph;
  Input input;
  State state;
  Candidate candidate;
  Bias bias;

  template <Vertex V, Computed X, class H>
    requires(detail::cell_fits<X, Graph, H, State>)
  constexpr auto operator()(V v, X x, H h) const {
    return detail::gru_step(transform(seen(v, x), input) + bias, transform(h, state), h,
                            [&](auto kept) { return transform(kept, candidate); });
  }
  STG_OTHER_CALLS(vertex, 3, 3, "tgcn", "cell(v, v(x), h)", mistake, operator(), const)
  STG_OTHER_WIDTHS("tgcn", "cell(v, v(x), h)", mistake, Graph, State)

 private:
  template <Vertex V, class X> constexpr auto seen(V v, X x) const {
    if constexpr (detail::is_function<Graph>) return graph(v, x);
    else return gcn_conv(v, x, graph);
  }
};
template <class Graph, class Input, class State, class Candidate, class Bias>
tgcn(Graph, Input, State, Candidate, Bias) -> tgcn<Graph, Input, State, Candidate, Bias>;

namespace detail {

/// The vertex of a step with the weights that edges have around the scan.
inline constexpr auto in_step(vertex_view, vertex_view inside) { return inside; }
template <class Weight> constexpr auto in_step(const weighted_view<Weight>& around, vertex_view inside) {
  return weighted(inside, around.weight);
}

/// shape<E> of what has a value for each of E steps.
template <class X> struct steps_of { using type = typename X::over; };
template <class S, class Sh, scalar_type T, class Over> struct steps_of<steps_expr<S, Sh, T, Over>> {
  using type = Over;
};

}  // namespace detail

/// Attention over periods: Σ_t α_t h_t with α = softmax_t s(h_t), where h_t are the states of a cell, such as a tgcn,
/// that goes through them; s a parameter (hidden, 1) or a function from (hidden) to (1), or to (hidden) for shares of
/// each feature. Every vertex has shares of its own. cell(v, x, h): x has a value for each period, an input that is
/// declared over<"P"> or what a scan gave, and is not read; h (hidden) is the state before the first → (hidden). A
/// single scan, which keeps a sum and not the states; 0 for no period. Edge weights, by weighted(v, w), are the same in
/// all.
///
/// Bai et al., ISPRS International Journal of Geo-Information 10, 2021. In PyG-T's A3TGCN every period
/// begins with the same h, and α is a softmax of one trained number for each period.
///
///   stg::nn::a3tgcn cell{stg::nn::tgcn{W, I, U, C, b}, s};
///   auto y = cell(v, x, zeros<16>(v));
template <class Cell, class Score> struct a3tgcn {
  Cell cell;
  Score score;

  template <Vertex V, class X, class H> constexpr auto operator()(V v, X x, H h) const {
    using from = for_layers::signature<H>;
    using scored = for_layers::signature<decltype(transform(h, score))>;
    // Shares are relative to the largest score so far, so that no exponential overflows; the sum goes on with it.
    const auto step = [=, this](vertex_view inside, auto before, auto sum, auto total, auto largest) {
      auto state = cell(detail::in_step(v, inside), inside(x), before);
      auto s = transform(state, score);
      auto top = max(largest, detach(s));
      auto kept = exp(largest - top), share = exp(s - top);
      return next(state, sum * kept + share * state, total * kept + share, top);
    };
    const auto results = for_layers::scan_over_values<typename detail::steps_of<X>::type>(
        v, step, h, detail::whole<typename from::where, typename from::dims, from::type>(v, 0),
        detail::whole<typename scored::where, typename scored::dims, from::type>(v, 0),
        detail::whole<typename scored::where, typename scored::dims, from::type>(v, -1e30));
    return std::get<1>(results) / max(std::get<2>(results), 1.0);  // the largest share alone is 1
  }
};
template <class Cell, class Score> a3tgcn(Cell, Score) -> a3tgcn<Cell, Score>;

}  // namespace stg::nn
