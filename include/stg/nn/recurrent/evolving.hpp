// Graph convolutions whose weights are carried from step to step: evolve_gcn_o evolve_gcn_h.
#pragma once

#include <tuple>  // get

#include <stg/dsl/next_step.hpp>       // next
#include <stg/dsl/scan_body.hpp>       // scan_over_values
#include <stg/nn/conv/spectral.hpp>    // gcn_conv
#include <stg/nn/propagate.hpp>        // Vertex
#include <stg/nn/recurrent/gates.hpp>  // lstm_step, gru_step
#include <stg/op/for_layers.hpp>       // for_layers
#include <stg/op/list.hpp>             // matmul, max, select, concat

namespace stg::nn {

/// What a cell that evolves weights by an LSTM gives: y of each vertex, and what goes on, the weights w and their
/// memory c. `next(s)` carries w and c; y is given beside them: next(s).gives(s.y).
template <class Y, class W, class C> struct evolved_with_memory {
  Y y;
  W w;
  C c;
};
template <class Y, class W, class C> evolved_with_memory(Y, W, C) -> evolved_with_memory<Y, W, C>;

/// The same where the weights w alone go on.
template <class Y, class W> struct evolved {
  Y y;
  W w;
};
template <class Y, class W> evolved(Y, W) -> evolved<Y, W>;

namespace detail {
using nothing_evolved = evolved<mistake, mistake>;
using nothing_evolved_with_memory = evolved_with_memory<mistake, mistake, mistake>;
}  // namespace detail

/// A graph convolution with weights that are the state of an LSTM, which reads nothing else, gates in the order input,
/// forget, cell, output, one above the other: state (4 in, in), bias (4 in, out), parameters. cell(v, x, w, c): x (in),
/// w and c (in, out) values of the graph → y (out) of each vertex, w and c:
///
///   [i, f, g, o] = U w + B, c ← σ(f) ⊙ c + σ(i) ⊙ tanh(g), w ← σ(o) ⊙ tanh(c), y = P x w
///
/// Pareja et al., AAAI 2020, section 3 (version -O), where the LSTM's input is its state too, so that the two
/// products of a gate are one here; what is done to y, such as relu, is the caller's. PyG-T's EvolveGCNO has a GRU in
/// the place of the LSTM, as many features out as in, and multiplies w from the right. Meant for a graph with
/// `add_self_loops`.
///
///   stg::nn::evolve_gcn_o cell{U, B};
///   auto [w, c, y] = scan<"T">(v, [=](auto v, auto w, auto c) {
///     auto s = cell(v, v(x), w, c);
///     return next(s).gives(s.y);
///   }, v(W0), zeros<8, 16>());
template <class State, class Bias> struct evolve_gcn_o {
  State state;
  Bias bias;

  template <Vertex V, Computed X, class W, class C> constexpr auto operator()(V v, X x, W w, C c) const {
    const lstm_state s = detail::lstm_step<0>(matmul(v(state), w) + bias, c);
    return evolved_with_memory{gcn_conv(v, x, s.h), s.h, s.c};
  }
  STG_OTHER_CALLS(vertex, 4, 4, "evolve_gcn_o", "cell(v, v(x), w, c)", detail::nothing_evolved_with_memory, operator(),
                  const)
};
template <class State, class Bias> evolve_gcn_o(State, Bias) -> evolve_gcn_o<State, Bias>;

/// Of the `Count` vertices that score highest their rows, each times tanh of its score, as columns, the highest first:
/// x (in), p a parameter (in) → (in, Count), one value for the graph. The score is x · p / |p|. Vertices of equal score
/// are one column, their mean, and columns for which no vertex is left are 0. Count is a number; so many reductions
/// over the vertices. p begins drawn from ±1 / √in, as in PyG's TopKPooling. Pareja et al., AAAI 2020, section 3
/// (summarize).
///
///   auto z = stg::nn::top_rows<16>(v, v(x), p);
template <int Count, class X, class P> constexpr auto top_rows(vertex_view v, X x, P p) {
  using from = for_layers::operand_traits<X>;
  constexpr auto in = axis_extent<typename from::dims, 0>;
  auto asked = v(for_layers::begun(p, init::kaiming_uniform(2.23606797749979)));  // √5: within ±1 / √in
  auto score = sum(x * asked, axis<0>) * rsqrt(sum(asked * asked, axis<0>));
  auto rows = x * tanh(score);
  constexpr double taken = -1e30;  // instead of a score: below all of them, and finite
  const auto step = [=](vertex_view at, auto left, auto columns) {
    auto highest = max(left, all_vertices);
    auto chosen = (left == highest) & (left > taken);
    auto count = sum(cast<from::type>(chosen), all_vertices);
    auto column = sum(select(chosen, at(rows), 0.0), all_vertices) / max(count, 1.0);
    auto last = reshape<in, 1>(column);
    auto all = [&] {
      if constexpr (Count == 1) return last;
      else return concat<axis<1>>(slice<1, Count>(columns, axis<1>), last);
    }();
    return next(select(chosen, taken, left), all);
  };
  return std::get<1>(for_layers::scan_over_values<shape<Count>>(
      v, step, detach(score), detail::whole<space::graph, shape<in, Count>, from::type>(v, 0)));
}

/// A graph convolution with weights that are the state of a GRU, which reads the vertices that `score` finds most
/// telling, `top_rows`; gates in the order reset, update, candidate, one above the other: score (in), input (3 in, in),
/// state (2 in, in) for reset and update, candidate (in, in), bias (3 in, out), parameters. cell(v, x, w): x (in), w
/// (in, out) a value of the graph → y (out) of each vertex and w:
///
///   s = top_rows<out>(x), r = σ(U_r s + V_r w + B_r), z likewise
///   w ← z ⊙ w + (1 - z) ⊙ tanh(U_n s + V_n (r ⊙ w) + B_n), y = P x w
///
/// Pareja et al., AAAI 2020, section 3 (version -H), whose z is 1 - z here. PyG-T's EvolveGCNH has as many features
/// out as in, takes s as rows and multiplies from the right. Meant for a graph with `add_self_loops`.
///
///   stg::nn::evolve_gcn_h cell{p, U, V, N, B};
///   auto [w, y] = scan<"T">(v, [=](auto v, auto w) {
///     auto s = cell(v, v(x), w);
///     return next(s).gives(s.y);
///   }, v(W0));
template <class Score, class Input, class State, class Candidate, class Bias> struct evolve_gcn_h {
  Score score;
  Input input;
  State state;
  Candidate candidate;
  Bias bias;

  template <Vertex V, Computed X, class W> constexpr auto operator()(V v, X x, W w) const {
    constexpr auto out = axis_extent<typename for_layers::operand_traits<W>::dims, 1>;
    auto telling = top_rows<out>(v, x, score);  // (in, out)
    auto onward = detail::gru_step<0>(matmul(v(input), telling) + bias, matmul(v(state), w), w,
                                      [&](auto kept) { return matmul(v(candidate), kept); });
    return evolved{gcn_conv(v, x, onward), onward};
  }
  STG_OTHER_CALLS(vertex, 3, 3, "evolve_gcn_h", "cell(v, v(x), w)", detail::nothing_evolved, operator(), const)
};
template <class Score, class Input, class State, class Candidate, class Bias>
evolve_gcn_h(Score, Input, State, Candidate, Bias) -> evolve_gcn_h<Score, Input, State, Candidate, Bias>;

}  // namespace stg::nn

namespace stg {
template <class W, class C> inline constexpr bool is_mistake<nn::evolved_with_memory<mistake, W, C>> = true;
template <class W> inline constexpr bool is_mistake<nn::evolved<mistake, W>> = true;
template <class Y, class W, class C> inline constexpr bool detail::has_several<nn::evolved_with_memory<Y, W, C>> = true;
template <class Y, class W> inline constexpr bool detail::has_several<nn::evolved<Y, W>> = true;
/// The weights go on, and what they remember.
template <class Y, class W, class C> constexpr auto next(const nn::evolved_with_memory<Y, W, C>& s) {
  return next(s.w, s.c);
}
template <class Y, class W> constexpr auto next(const nn::evolved<Y, W>& s) { return next(s.w); }
}  // namespace stg
