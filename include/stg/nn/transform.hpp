// What a layer multiplies by: a parameter, or a function in its place.
#pragma once

#include <type_traits>  // is_void_v

#include <stg/op/for_layers.hpp>  // for_layers
#include <stg/op/list.hpp>        // matmul

namespace stg::nn {

namespace detail {
template <class W> inline constexpr bool is_function = !for_layers::is_operand<W>;

/// f(x) of a function in a parameter's place, which has a mistake of its own where that is no value.
template <class X, class F> constexpr auto of_function(X x, F f) {
  constexpr bool is_no_tensor = !for_layers::holds_numbers<F>;
  static_assert(is_no_tensor,
                "stg: a layer takes parameters, which are bound when it is called: parameter<\"W\", 8, 16>");
  constexpr bool takes_one = !is_no_tensor || stg::for_layers::takes_arguments<F, X> || requires { f(x); };
  static_assert(takes_one,
                "stg: a function in a parameter's place takes one value: [](auto h) { return matmul(h, W); }");
  if constexpr (is_no_tensor && takes_one) {
    constexpr bool returns = !std::is_void_v<decltype(f(x))>;
    static_assert(returns, "stg: a function in a parameter's place returns nothing; write [](auto h) { return ...; }");
    if constexpr (returns) return f(x);
    else return mistake();
  } else {
    return mistake();
  }
}
}  // namespace detail

/// x (…, in) times a parameter W (in, out): (…, out). Wherever a layer takes such a W it takes a function of one value
/// as well, which may add a bias or be a whole perceptron: w(x).
///
///   auto affine = [](auto h) { return linear(h, W, b); };
///   auto y = stg::nn::graph_conv(v, v(x), affine, U);
template <class X, class W> constexpr auto transform(X x, W w) {
  if constexpr (detail::is_function<W>) return detail::of_function(x, w);
  else return matmul(x, w);
}

/// transform(aggregate(x), w) for an aggregate that is a linear function of rows, as sum and mean are. A parameter is
/// multiplied before, so that the sweep may move whichever rows are narrower; a function, which need not be linear,
/// comes after.
template <class X, class W, class Aggregate> constexpr auto transform_through(Aggregate aggregate, X x, W w) {
  if constexpr (detail::is_function<W>) return detail::of_function(aggregate(x), w);
  else return aggregate(matmul(x, w));
}

}  // namespace stg::nn
