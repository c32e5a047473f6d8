// What a layer multiplies by: a parameter, or a function in its place.
#pragma once

#include <stg/op/for_layers.hpp>  // for_layers
#include <stg/op/list.hpp>        // matmul

namespace stg::nn {

namespace detail {
template <class W> inline constexpr bool is_function = !for_layers::is_operand<W>;
}  // namespace detail

/// x (…, in) times a parameter W (in, out): (…, out). Wherever a layer takes such a W it takes a function of one value
/// as well, which may add a bias or be a whole perceptron: w(x).
///
///   auto affine = [](auto h) { return linear(h, W, b); };
///   auto y = stg::nn::graph_conv(v, v(x), affine, U);
template <class X, class W> constexpr auto transform(X x, W w) {
  if constexpr (detail::is_function<W>) return w(x);
  else return matmul(x, w);
}

/// transform(aggregate(x), w) for an aggregate that is a linear function of rows, as sum and mean are. A parameter is
/// multiplied before, so that the sweep may move whichever rows are narrower; a function, which need not be linear,
/// comes after.
template <class X, class W, class Aggregate> constexpr auto transform_through(Aggregate aggregate, X x, W w) {
  if constexpr (detail::is_function<W>) return w(aggregate(x));
  else return aggregate(matmul(x, w));
}

}  // namespace stg::nn
