// Cells that read a network's view of each step: dygr_encoder mpnn_lstm.
#pragma once

#include <stg/dsl/next_step.hpp>          // next
#include <stg/nn/conv/spectral.hpp>       // gcn_conv
#include <stg/nn/propagate.hpp>           // Vertex
#include <stg/nn/recurrent/filters.hpp>   // gated_graph
#include <stg/nn/recurrent/gates.hpp>     // lstm_state, convolve
#include <stg/nn/recurrent/sequence.hpp>  // lstm
#include <stg/op/list.hpp>                // concat, relu

namespace stg::nn {

/// An LSTM that reads what a gated graph network makes of the step: graph a gated_graph, or another function of vertex
/// and value, (in) → (features); memory an lstm{(features, 4 hidden), …}. cell(v, x, h, c) is the next h and c
/// (hidden):
///
///   h, c ← lstm(ggnn(x), h, c)
///
/// Taheri, Gimpel and Berger-Wolf, WWW companion 2019 (the encoder). As PyG-T's DyGrEncoder.
///
///   stg::nn::dygr_encoder cell{stg::nn::gated_graph{stg::nn::gru{M, U, b}, W1, W2}, stg::nn::lstm{I, S, d}};
template <class Graph, class Memory> struct dygr_encoder {
  Graph graph;
  Memory memory;

  template <Vertex V, Computed X, class H, class C> constexpr auto operator()(V v, X x, H h, C c) const {
    return memory(v, detail::convolve(v, x, graph), h, c);
  }
  STG_OTHER_CALLS(vertex, 4, 4, "dygr_encoder", "cell(v, v(x), h, c)", detail::no_lstm_state, operator(), const)
};
template <class Graph, class Memory> dygr_encoder(Graph, Memory) -> dygr_encoder<Graph, Memory>;

/// The states of two LSTMs one behind the other. `next(s)` carries all four.
template <class H1, class C1, class H2, class C2> struct two_lstm_states {
  H1 h1;
  C1 c1;
  H2 h2;
  C2 c2;
};
template <class H1, class C1, class H2, class C2> two_lstm_states(H1, C1, H2, C2) -> two_lstm_states<H1, C1, H2, C2>;
namespace detail {
using no_two_lstm_states = two_lstm_states<mistake, mistake, mistake, mistake>;
}  // namespace detail

/// Two LSTMs, one behind the other, which read what two graph convolutions make of the step: first and second
/// parameters, (in, features) and (features, features'), for relu(P x W), or functions of vertex and value, which may
/// add batch norm and dropout; lower an lstm{(features + features', 4 hidden), …}, upper an lstm{(hidden, 4 hidden'),
/// …}. cell(v, x, h1, c1, h2, c2) are the next h1 and c1 (hidden), h2 and c2 (hidden'):
///
///   a = relu(P x W_1), b = relu(P a W_2), h1, c1 ← lstm_1([a, b], h1, c1), h2, c2 ← lstm_2(h1, h2, c2)
///
/// Panagopoulos, Nikolentzos and Vazirgiannis, AAAI 2021 (MPNN+LSTM). PyG-T's MPNNLSTM takes the steps as
/// one graph of all and gives [h1, h2] beside its inputs: the caller's concat here. Meant for a graph with
/// `add_self_loops`.
///
///   stg::nn::mpnn_lstm cell{W1, W2, stg::nn::lstm{I, S, d}, stg::nn::lstm{J, R, e}};
template <class First, class Second, class Lower, class Upper> struct mpnn_lstm {
  First first;
  Second second;
  Lower lower;
  Upper upper;

  template <Vertex V, Computed X, class H1, class C1, class H2, class C2>
  constexpr auto operator()(V v, X x, H1 h1, C1 c1, H2 h2, C2 c2) const {
    auto near = seen(v, x, first);
    auto far = seen(v, near, second);
    const lstm_state one = lower(v, concat<axis<0>>(near, far), h1, c1);
    const lstm_state two = upper(v, one.h, h2, c2);
    return two_lstm_states{one.h, one.c, two.h, two.c};
  }
  STG_OTHER_CALLS(vertex, 6, 6, "mpnn_lstm", "cell(v, v(x), h1, c1, h2, c2)", detail::no_two_lstm_states, operator(),
                  const)

 private:
  template <Vertex V, class X, class W> static constexpr auto seen(V v, X x, W w) {
    if constexpr (detail::is_function<W>) return w(v, x);
    else return relu(gcn_conv(v, x, w));
  }
};
template <class First, class Second, class Lower, class Upper>
mpnn_lstm(First, Second, Lower, Upper) -> mpnn_lstm<First, Second, Lower, Upper>;

}  // namespace stg::nn

namespace stg {
template <class C1, class H2, class C2>
inline constexpr bool is_mistake<nn::two_lstm_states<mistake, C1, H2, C2>> = true;
template <class H1, class C1, class H2, class C2>
inline constexpr bool detail::has_several<nn::two_lstm_states<H1, C1, H2, C2>> = true;
/// Both LSTMs go on.
template <class H1, class C1, class H2, class C2> constexpr auto next(const nn::two_lstm_states<H1, C1, H2, C2>& s) {
  return next(s.h1, s.c1, s.h2, s.c2);
}
}  // namespace stg
