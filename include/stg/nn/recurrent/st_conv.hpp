// Gated convolutions over time around a convolution over the graph, a step at a time: st_conv.
#pragma once

#include <stg/dsl/next_step.hpp>         // next
#include <stg/nn/propagate.hpp>          // Vertex
#include <stg/nn/recurrent/filters.hpp>  // chebyshev
#include <stg/nn/recurrent/gates.hpp>    // convolve, part
#include <stg/nn/transform.hpp>          // transform
#include <stg/op/for_layers.hpp>         // for_layers
#include <stg/op/list.hpp>               // concat, slice, sigmoid, relu

namespace stg::nn {

/// What an st_conv gives: y, and what its two convolutions over time have seen, which goes on. `next(s)` carries
/// past_input and past_hidden; y is given beside them: next(s).gives(s.y).
template <class Y, class Input, class Hidden> struct st_conv_state {
  Y y;
  Input past_input;
  Hidden past_hidden;
};
template <class Y, class I, class H> st_conv_state(Y, I, H) -> st_conv_state<Y, I, H>;

namespace detail {
using no_st_conv_state = st_conv_state<mistake, mistake, mistake>;

/// How wide a value is, which is a number.
template <class X> inline constexpr int width_of = axis_extent<typename for_layers::operand_traits<X>::dims, 0>;

/// A window of steps without the oldest, as wide as it was before one came.
template <class Past, class Window> constexpr auto without_oldest(Past, Window window) {
  return slice<width_of<Window> - width_of<Past>, width_of<Window>>(window);
}
/// A gated linear unit over a window: p ⊙ σ(q) with [p, q] = window W.
template <class Window, class W> constexpr auto gated_over_time(Window window, W w) {
  auto both = transform(window, w);
  return part<0, 2>(both) * sigmoid(part<1, 2>(both));
}

}  // namespace detail

/// A block of convolutions over time, over the graph and over time again, each over the last `kernel` steps: before
/// (kernel · in, 2 hidden), graph a convolution (hidden) → (features), such as chebyshev{…}, after (kernel · features,
/// 2 out); before and after parameters or functions, which may add a bias. Rows of both are the steps, the oldest
/// first, one after the other; columns what passes and its gate. cell(v, x, past_input, past_hidden): x (in),
/// past_input
/// ((kernel - 1) · in), past_hidden ((kernel - 1) · features), which begin as zeros → y (out) and what goes on:
///
///   a = glu([x_t-k+1, …, x_t] W), s_t = relu(G a), y = glu([s_t-k+1, …, s_t] U), glu([p, q]) = p ⊙ σ(q)
///
/// From step 2 (kernel - 1) on, counted from 0, y is what the block gives over a whole sequence; before that, steps
/// that were not there count as zeros. Yu, Yin and Zhu, IJCAI 2018, sections 3.3 and 3.4. PyG-T's STConv takes a whole
/// sequence, has relu(glu(…) + a third convolution) in the place of glu, and ends with a batch norm for each vertex.
///
///   stg::nn::st_conv cell{W, stg::nn::chebyshev{C0, C1}, U};           // kernel 3
///   auto [past, behind, y] = scan<"T">(v, [=](auto v, auto a, auto b) {
///     auto s = cell(v, v(x), a, b);
///     return next(s).gives(s.y);
///   }, zeros<2 * 4>(v), zeros<2 * 16>(v));
template <class Before, class Graph, class After> struct st_conv {
  Before before;
  Graph graph;
  After after;

  template <Vertex V, Computed X, class Input, class Hidden>
  constexpr auto operator()(V v, X x, Input past_input, Hidden past_hidden) const {
    constexpr bool whole_steps = detail::width_of<Input> % detail::width_of<X> == 0;
    static_assert(whole_steps, "stg: st_conv carries whole steps, (kernel - 1) times as wide as what it reads");
    if constexpr (whole_steps) {
      auto inputs = concat<axis<0>>(past_input, x);
      auto hidden = relu(detail::convolve(v, detail::gated_over_time(inputs, before), graph));
      auto seen = concat<axis<0>>(past_hidden, hidden);
      return st_conv_state{detail::gated_over_time(seen, after), detail::without_oldest(past_input, inputs),
                           detail::without_oldest(past_hidden, seen)};
    } else {
      return mistake();
    }
  }
  STG_OTHER_CALLS(vertex, 4, 4, "st_conv", "cell(v, v(x), past_input, past_hidden)",
                  detail::no_st_conv_state, operator(), const)
};
template <class Before, class Graph, class After> st_conv(Before, Graph, After) -> st_conv<Before, Graph, After>;

}  // namespace stg::nn

namespace stg {
template <class I, class H> inline constexpr bool is_mistake<nn::st_conv_state<mistake, I, H>> = true;
template <class Y, class I, class H> inline constexpr bool detail::has_several<nn::st_conv_state<Y, I, H>> = true;
/// What was seen goes on.
template <class Y, class I, class H> constexpr auto next(const nn::st_conv_state<Y, I, H>& s) {
  return next(s.past_input, s.past_hidden);
}
}  // namespace stg
