// Models as sequences of layers: a Boost.Hana tuple of functions, each taking the vertex and the value before it.
#pragma once

#include <boost/hana/fold_left.hpp>  // fold_left
#include <boost/hana/tuple.hpp>      // tuple

#include <stg/nn/propagate.hpp>  // Vertex

namespace stg::nn {

/// layers_n(v, … layers_1(v, x)), v with its edge weights where it has some: a model whose definition is a value that
/// can be shortened, extended and iterated.
///
///   inline constexpr auto layers = boost::hana::make_tuple([](auto v, auto h) { return relu(gcn_conv(v, h, W1)); },
///                                                          [](auto v, auto h) { return gcn_conv(v, h, W2); });
///   inline constexpr auto model = [](auto v) { return stg::nn::sequential(v, v(x), layers); };
template <Vertex V, class X, class... Layer>
constexpr auto sequential(V v, X x, const boost::hana::tuple<Layer...>& layers) {
  return boost::hana::fold_left(layers, x, [v](auto value, const auto& layer) { return layer(v, value); });
}

}  // namespace stg::nn
