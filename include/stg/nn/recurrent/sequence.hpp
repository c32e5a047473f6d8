// Cells of every vertex by itself, without a neighbour: gru lstm.
#pragma once

#include <stg/nn/recurrent/gates.hpp>  // gru_step, lstm_step
#include <stg/nn/transform.hpp>        // transform

namespace stg::nn {

/// A GRU with the gates in PyTorch's order, reset, update, candidate: input (in, 3 hidden), state (hidden, 3 hidden),
/// bias (3 hidden); input and state are parameters or functions. For x (in) and h (hidden), of a vertex, an edge or the
/// graph, cell(v, x, h) is the next h:
///
///   r = σ(x W_r + h U_r + b_r), z likewise, h ← z ⊙ h + (1 - z) ⊙ tanh(x W_n + b_n + r ⊙ (h U_n))
///
/// Cho et al., EMNLP 2014, equations 5 to 8, with the reset gate behind the product, as in PyTorch's GRU, so that the
/// state is multiplied once. PyTorch's second bias comes by a function: [](auto h) { return linear(h, U, c); }.
///
///   auto h = scan<"T">(v, [](auto v, auto h) { return stg::nn::gru{W, U, b}(v, v(x), h); }, zeros<16>(v));
template <class Input, class State, class Bias> struct gru {
  Input input;
  State state;
  Bias bias;

  template <Computed X, class H>
    requires(detail::cell_fits<X, Input, H, State>)
  constexpr auto operator()(vertex_view, X x, H h) const {
    auto fed_back = transform(h, state);
    auto given = transform(x, input) + bias;
    auto r = sigmoid(detail::part<0, 3>(given) + detail::part<0, 3>(fed_back));
    auto z = sigmoid(detail::part<1, 3>(given) + detail::part<1, 3>(fed_back));
    return z * h + (1.0 - z) * tanh(detail::part<2, 3>(given) + r * detail::part<2, 3>(fed_back));
  }
  STG_OTHER_CALLS(vertex, 3, 3, "gru", "gru{W, U, b}(v, v(x), h)", mistake, operator(), const)
  STG_OTHER_WIDTHS("gru", "gru{W, U, b}(v, v(x), h)", mistake, Input, State)
};
template <class Input, class State, class Bias> gru(Input, State, Bias) -> gru<Input, State, Bias>;

/// An LSTM with the gates in PyTorch's order, input, forget, cell, output: input (in, 4 hidden), state (hidden, 4
/// hidden), bias (4 hidden); input and state are parameters or functions. PyTorch's bias_ih and bias_hh are one here.
/// For x (in), h and c (hidden), of a vertex, an edge or the graph, cell(v, x, h, c) is the next h and c:
///
///   [i, f, g, o] = x W + h U + b, c ← σ(f) ⊙ c + σ(i) ⊙ tanh(g), h ← σ(o) ⊙ tanh(c)
///
/// Gers et al., Neural Computation 12, 2000, without peepholes; PyTorch's LSTM.
///
///   auto [h, c] = stg::nn::lstm{W, U, b}(v, v(x), h0, c0);
template <class Input, class State, class Bias> struct lstm {
  Input input;
  State state;
  Bias bias;

  template <Computed X, class H, class C>
    requires(detail::cell_fits<X, Input, H, State>)
  constexpr auto operator()(vertex_view, X x, H h, C c) const {
    return detail::lstm_step(transform(x, input) + bias + transform(h, state), c);
  }
  STG_OTHER_CALLS(vertex, 4, 4, "lstm", "lstm{W, U, b}(v, v(x), h, c)", detail::no_lstm_state, operator(), const)
  STG_OTHER_WIDTHS("lstm", "lstm{W, U, b}(v, v(x), h, c)", detail::no_lstm_state, Input, State)
};
template <class Input, class State, class Bias> lstm(Input, State, Bias) -> lstm<Input, State, Bias>;

}  // namespace stg::nn
