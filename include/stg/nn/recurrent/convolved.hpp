// GRUs and LSTMs whose products are graph convolutions: gconv_gru dcrnn gconv_lstm gc_lstm lrgcn.
//
// Each convolution is a function of vertex and value, such as chebyshev{W, U}, diffusion{W, F, B} and relational{…}, or
// a lambda. Gates stand side by side in what it gives, so that a value is sent through the graph once for all of them.
#pragma once

#include <stg/nn/propagate.hpp>          // Vertex
#include <stg/nn/recurrent/filters.hpp>  // chebyshev, diffusion, relational
#include <stg/nn/recurrent/gates.hpp>    // gru_step, lstm_step, convolve
#include <stg/op/for_layers.hpp>         // for_layers

namespace stg::nn {

/// A GRU of graph convolutions, gates in the order reset, update, candidate: input (in) → (3 hidden), state (hidden) →
/// (2 hidden) for reset and update, candidate (hidden) → (hidden), bias (3 hidden). cell(v, x, h) is the next h
/// (hidden):
///
///   r = σ(G_r x + G'_r h + b_r), z likewise, h ← z ⊙ h + (1 - z) ⊙ tanh(G_n x + G'_n (r ⊙ h) + b_n)
///
/// Seo et al., ICONIP 2018 (arXiv:1612.07659), model 2 with a GRU; with G and G' Chebyshev filters PyG-T's GConvGRU,
/// which has a filter, and so its own walks through the graph, for each gate.
///
///   stg::nn::gconv_gru cell{stg::nn::chebyshev{W0, W1}, stg::nn::chebyshev{U0, U1}, stg::nn::chebyshev{C0, C1}, b};
///   auto h = scan<"T">(v, [=](auto v, auto h) { return cell(v, v(x), h); }, zeros<16>(v));
template <class Input, class State, class Candidate, class Bias> struct gconv_gru {
  Input input;
  State state;
  Candidate candidate;
  Bias bias;

  template <Vertex V, Computed X, class H>
    requires(detail::cell_fits<X, Input, H, State>)
  constexpr auto operator()(V v, X x, H h) const {
    return detail::gru_step(detail::convolve(v, x, input) + bias, detail::convolve(v, h, state), h,
                            [&](auto kept) { return detail::convolve(v, kept, candidate); });
  }
  STG_OTHER_CALLS(vertex, 3, 3, "gconv_gru", "cell(v, v(x), h)", mistake, operator(), const)
  STG_OTHER_WIDTHS("gconv_gru", "cell(v, v(x), h)", mistake, Input, State)
};
template <class Input, class State, class Candidate, class Bias>
gconv_gru(Input, State, Candidate, Bias) -> gconv_gru<Input, State, Candidate, Bias>;

/// The diffusion convolutional GRU: gconv_gru with diffusions along out-edges and in-edges, as many hops as they have
/// weights for. Shapes and layout as there. Li et al., ICLR 2018, section 2.3, whose filters of [x, h] are here one of
/// x and one of h. PyG-T's DCRNN takes the transposes, Σ_j x_j / (out-degree of j)
/// over in-edges j → i and the same of the reversed graph, has 2 P y - x, y the hop before, where the paper has a
/// power, and counts weights in degrees alone.
///
///   stg::nn::dcrnn cell{stg::nn::diffusion{W, F, B}, stg::nn::diffusion{U, G, D}, stg::nn::diffusion{C, E, K}, b};
template <class Input, class State, class Candidate, class Bias> struct dcrnn {
  Input input;
  State state;
  Candidate candidate;
  Bias bias;

  template <Vertex V, Computed X, class H>
    requires(detail::cell_fits<X, Input, H, State>)
  constexpr auto operator()(V v, X x, H h) const { return gconv_gru{input, state, candidate, bias}(v, x, h); }
  STG_OTHER_CALLS(vertex, 3, 3, "dcrnn", "cell(v, v(x), h)", mistake, operator(), const)
  STG_OTHER_WIDTHS("dcrnn", "cell(v, v(x), h)", mistake, Input, State)
};
template <class Input, class State, class Candidate, class Bias>
dcrnn(Input, State, Candidate, Bias) -> dcrnn<Input, State, Candidate, Bias>;

/// An LSTM of graph convolutions with peepholes, gates in the order input, forget, cell, output: input (in) → (4
/// hidden), state (hidden) → (4 hidden), peephole (3, hidden) for input, forget and output, bias (4 hidden).
/// cell(v, x, h, c) is the next h and c (hidden):
///
///   [i, f, g, o] = G x + G' h + b
///   c' = σ(f + p_f ⊙ c) ⊙ c + σ(i + p_i ⊙ c) ⊙ tanh(g), h' = σ(o + p_o ⊙ c') ⊙ tanh(c')
///
/// Seo et al., ICONIP 2018 (arXiv:1612.07659), model 2; with Chebyshev filters PyG-T's GConvLSTM, which has a filter
/// for each gate.
///
///   stg::nn::gconv_lstm cell{stg::nn::chebyshev{W0, W1}, stg::nn::chebyshev{U0, U1}, p, b};
///   auto [h, c] = scan<"T">(v, [=](auto v, auto h, auto c) { return next(cell(v, v(x), h, c)); }, h0, c0);
template <class Input, class State, class Peephole, class Bias> struct gconv_lstm {
  Input input;
  State state;
  Peephole peephole;
  Bias bias;

  template <Vertex V, Computed X, class H, class C>
    requires(detail::cell_fits<X, Input, H, State>)
  constexpr auto operator()(V v, X x, H h, C c) const {
    auto gates = detail::convolve(v, x, input) + detail::convolve(v, h, state) + bias;
    auto i = sigmoid(detail::part<0, 4>(gates) + seen<0>(v) * c);
    auto f = sigmoid(detail::part<1, 4>(gates) + seen<1>(v) * c);
    auto memory = f * c + i * tanh(detail::part<2, 4>(gates));
    return lstm_state{sigmoid(detail::part<3, 4>(gates) + seen<2>(v) * memory) * tanh(memory), memory};
  }
  STG_OTHER_CALLS(vertex, 4, 4, "gconv_lstm", "cell(v, v(x), h, c)", detail::no_lstm_state, operator(), const)
  STG_OTHER_WIDTHS("gconv_lstm", "cell(v, v(x), h, c)", detail::no_lstm_state, Input, State)

 private:
  template <int Gate> constexpr auto seen(vertex_view v) const {
    constexpr auto hidden = axis_extent<typename for_layers::operand_traits<Peephole>::dims, 1>;
    return reshape<hidden>(slice<Gate, Gate + 1>(v(peephole), axis<0>));
  }
};
template <class Input, class State, class Peephole, class Bias>
gconv_lstm(Input, State, Peephole, Bias) -> gconv_lstm<Input, State, Peephole, Bias>;

/// An LSTM that sends both of its states through the graph and not x, gates in the order input, forget, cell, output:
/// input (in, 4 hidden) a parameter or a function, state (hidden) → (4 hidden) and memory (hidden) → (hidden)
/// convolutions, bias (4 hidden). cell(v, x, h, c) is the next h and c (hidden):
///
///   [i, f, g, o] = x W + G h + b, c ← σ(f) ⊙ K c + σ(i) ⊙ tanh(g), h ← σ(o) ⊙ tanh(c)
///
/// Chen et al., Applied Intelligence 52, 2022 (arXiv:1812.04206), with Chebyshev filters G and K. PyG-T's GCLSTM leaves
/// c as it is, here [](auto, auto c) { return c; } in the place of the filter.
///
///   stg::nn::gc_lstm cell{W, stg::nn::chebyshev{U0, U1}, stg::nn::chebyshev{K0, K1}, b};
template <class Input, class State, class Memory, class Bias> struct gc_lstm {
  Input input;
  State state;
  Memory memory;
  Bias bias;

  template <Vertex V, Computed X, class H, class C>
    requires(detail::cell_fits<X, Input, H, State>)
  constexpr auto operator()(V v, X x, H h, C c) const {
    return detail::lstm_step(transform(x, input) + detail::convolve(v, h, state) + bias,
                             detail::convolve(v, c, memory));
  }
  STG_OTHER_CALLS(vertex, 4, 4, "gc_lstm", "cell(v, v(x), h, c)", detail::no_lstm_state, operator(), const)
  STG_OTHER_WIDTHS("gc_lstm", "cell(v, v(x), h, c)", detail::no_lstm_state, Input, State)
};
template <class Input, class State, class Memory, class Bias>
gc_lstm(Input, State, Memory, Bias) -> gc_lstm<Input, State, Memory, Bias>;

/// An LSTM of convolutions of typed edges, gates in the order input, forget, cell, output: input (in) → (4 hidden),
/// state (hidden) → (4 hidden), both relational{relation, self, bases, coefficients}, bias (4 hidden). cell(v, x, h, c)
/// is the next h and c (hidden):
///
///   [i, f, g, o] = R x + R' h + b, c ← σ(f) ⊙ c + σ(i) ⊙ tanh(g), h ← σ(o) ⊙ tanh(c)
///
/// Li et al., KDD 2019 (LRGCN); edges from one time step to the next are relations of their own there. In
/// PyG-T's LRGCN each gate has bases and coefficients of its own; here coefficients are common to the gates.
///
///   stg::nn::lrgcn cell{stg::nn::relational{relation, W, V, a}, stg::nn::relational{relation, U, S, k}, b};
template <class Input, class State, class Bias> struct lrgcn {
  Input input;
  State state;
  Bias bias;

  template <Vertex V, Computed X, class H, class C>
    requires(detail::cell_fits<X, Input, H, State>)
  constexpr auto operator()(V v, X x, H h, C c) const {
    return detail::lstm_step(detail::convolve(v, x, input) + detail::convolve(v, h, state) + bias, c);
  }
  STG_OTHER_CALLS(vertex, 4, 4, "lrgcn", "cell(v, v(x), h, c)", detail::no_lstm_state, operator(), const)
  STG_OTHER_WIDTHS("lrgcn", "cell(v, v(x), h, c)", detail::no_lstm_state, Input, State)
};
template <class Input, class State, class Bias> lrgcn(Input, State, Bias) -> lrgcn<Input, State, Bias>;

}  // namespace stg::nn
