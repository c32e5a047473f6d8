// What cells have in common: gates that stand side by side in one product, and the states that LSTMs hand on.
#pragma once

#include <type_traits>  // is_same_v

#include <stg/dsl/next_step.hpp>    // next
#include <stg/dsl/other_calls.hpp>  // STG_OTHER_CALLS
#include <stg/dsl/vertex.hpp>       // vertex_view
#include <stg/nn/transform.hpp>     // transform
#include <stg/op/for_layers.hpp>    // for_layers
#include <stg/op/list.hpp>          // sigmoid, tanh, slice

namespace stg::nn {

/// The state of an LSTM: what it gives, h, and what it remembers, c, of one shape. `auto [h, c] = cell(v, x, h0, c0)`,
/// and in the body of a scan `return next(cell(v, v(x), h, c))`.
template <class H, class C> struct lstm_state {
  H h;
  C c;
};
template <class H, class C> lstm_state(H, C) -> lstm_state<H, C>;

namespace detail {

/// Whether x has as many features as a parameter W has rows. A function in its place says so itself.
template <class X, class W> constexpr bool find_fit() {
  if constexpr (Expression<X> && for_layers::is_operand<W>) {
    using rows = typename for_layers::operand_traits<W>::dims;
    using row = typename for_layers::operand_traits<X>::dims;
    if constexpr (rows::rank == 2 && row::rank > 0)
      return for_layers::same_extent<axis_extent<row, row::rank - 1>, axis_extent<rows, 0>>;
    else return true;
  } else {
    return true;
  }
}
/// The same of what a cell reads and of its state, beside what multiplies them.
template <class X, class Input, class H, class State>
inline constexpr bool cell_fits = find_fit<X, Input>() && find_fit<H, State>();
using no_lstm_state = lstm_state<mistake, mistake>;

/// How wide a gate is where `Parts` of them share so many columns; 0 where they cannot, which is said once.
template <auto Columns, int Parts> constexpr int gate_width() {
  constexpr bool are_numbers = std::is_same_v<std::remove_const_t<decltype(Columns)>, int>;
  static_assert(are_numbers, "stg: a cell's gates are as wide as a number says; declare its parameters with integers");
  if constexpr (are_numbers) {
    static_assert(Columns % Parts == 0, "stg: a cell's gates stand side by side, all as wide as its state");
    return Columns % Parts == 0 ? Columns / Parts : 0;
  } else {
    return 0;
  }
}

/// Part K of so many equal parts of an axis, the last unless told otherwise.
template <int K, int Parts, int Axis = -1, class X> constexpr auto part(X x) {
  using dims = typename for_layers::operand_traits<X>::dims;
  if constexpr (!Expression<X>) {
    return x;
  } else {
    constexpr int at = Axis < 0 ? Axis + dims::rank : Axis;
    constexpr int width = gate_width<axis_extent<dims, at>, Parts>();
    if constexpr (width > 0) return slice<K * width, (K + 1) * width>(x, axis<Axis>);
    else return mistake();
  }
}

/// How a GRU goes on: given (…, 3 n) and fed_back (…, 2 n) are what the gates reset, update and candidate are told by
/// x and by h; candidate is a function of r ⊙ h. z ⊙ h + (1 - z) ⊙ tanh(…).
template <int Axis = -1, class Given, class FedBack, class H, class Candidate>
constexpr auto gru_step(Given given, FedBack fed_back, H h, Candidate candidate) {
  auto r = sigmoid(part<0, 3, Axis>(given) + part<0, 2, Axis>(fed_back));
  auto z = sigmoid(part<1, 3, Axis>(given) + part<1, 2, Axis>(fed_back));
  return z * h + (1.0 - z) * tanh(part<2, 3, Axis>(given) + candidate(r * h));
}

/// How an LSTM goes on, where gates (…, 4 n) are input, forget, cell and output before their sigmoids and tanh.
template <int Axis = -1, class Gates, class C> constexpr auto lstm_step(Gates gates, C c) {
  auto memory = sigmoid(part<1, 4, Axis>(gates)) * c + sigmoid(part<0, 4, Axis>(gates)) * tanh(part<2, 4, Axis>(gates));
  return lstm_state{sigmoid(part<3, 4, Axis>(gates)) * tanh(memory), memory};
}

/// A number as a value of a space and a shape, which a scan can begin with.
template <class S, class Sh, scalar_type T> constexpr auto whole(vertex_view v, double number) {
  return for_layers::filled<S, Sh, T>(v.trace, number);
}

/// A graph convolution in a cell: a function of vertex and value, or a parameter W for x W, which sees no neighbour.
template <class V, class X, class F> constexpr auto convolve(V v, X x, F f) {
  if constexpr (is_function<F>) return f(v, x);
  else return matmul(x, f);
}

}  // namespace detail

/// In a cell, of calls whose value and state have other widths than its parameters: what to write.
#if defined(__CUDACC__)
#define STG_OTHER_WIDTHS(what, form, result, Input, State)
#elif STG_SAYS_AT_CALLS
#define STG_OTHER_WIDTHS(what, form, result, Input, State)                                                           \
  template <class V, class X, class H, class... C>                                                                   \
    requires(::stg::detail::is_place<V> && !detail::cell_fits<X, Input, H, State>)                                   \
  __attribute__((diagnose_if(sizeof...(C) < 9,                                                                       \
                             "stg: " what ": x is as wide as its input has rows, the state as its state has: " form, \
                             "error"))) constexpr result                                                             \
  operator()(const V&, const X&, const H&, const C&...) const {                                                      \
    return {};                                                                                                       \
  }
#else
#define STG_OTHER_WIDTHS(what, form, result, Input, State)                                                 \
  template <class V, class X, class H, class... C>                                                         \
    requires(::stg::detail::is_place<V> && !detail::cell_fits<X, Input, H, State>)                         \
  constexpr result operator()(const V&, const X&, const H&, const C&...) const {                           \
    static_assert(sizeof...(C) > 8,                                                                        \
                  "stg: " what ": x is as wide as its input has rows, the state as its state has: " form); \
    return {};                                                                                             \
  }
#endif

}  // namespace stg::nn

namespace stg {
template <class C> inline constexpr bool is_mistake<nn::lstm_state<mistake, C>> = true;
template <class H, class C> inline constexpr bool detail::has_several<nn::lstm_state<H, C>> = true;
/// Both values of an LSTM go on: next(h, c).
template <class H, class C> constexpr auto next(const nn::lstm_state<H, C>& s) { return next(s.h, s.c); }
}  // namespace stg
