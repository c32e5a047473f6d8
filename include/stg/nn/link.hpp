// Scores of pairs of vertices, from what is known of both ends: the decoders of link prediction.
#pragma once

#include <stg/nn/transform.hpp>  // transform
#include <stg/op/list.hpp>       // sum, concat

namespace stg::nn {

/// z_src · z_dst of each edge, z (d) of vertices → (). The logit of Kipf and Welling's inner product decoder
/// (arXiv:1611.07308, equation 2); PyG's InnerProductDecoder with sigmoid=False.
///
///   auto s = stg::nn::dot_score(v.in_edges(), v(z));   // on a graph of pairs
template <class Side, class Z> constexpr auto dot_score(edge_view<Side> pair, Z z) {
  return sum(pair.src(z) * pair.dst(z), axis<0>);
}

/// -‖z_src - z_dst‖² of each edge, z (d) → (): the nearer two vertices lie, the larger, as in translating embeddings
/// (Bordes et al., NeurIPS 2013, equation 1, with one relation that translates by 0). Squared, so that it has a
/// gradient where both are one.
template <class Side, class Z> constexpr auto distance_score(edge_view<Side> pair, Z z) {
  auto apart = pair.src(z) - pair.dst(z);
  return -sum(apart * apart, axis<0>);
}

/// What a network makes of [z_src, z_dst] of each edge, z (d) → (): a function of (2d) to (1), such as
///
///   auto s = stg::nn::network_score(v.in_edges(), v(z),
///                                   [](auto both) { return linear(relu(linear(both, W1, b1)), W2, b2); });
///
/// or a parameter (2d, 1). OGB's LinkPredictor takes the product of both ends in the place of the pair (Hu et al.,
/// NeurIPS 2020).
template <class Side, class Z, class Network> constexpr auto network_score(edge_view<Side> pair, Z z, Network network) {
  return sum(transform(concat<axis<0>>(pair.src(z), pair.dst(z)), network), axis<0>);
}

}  // namespace stg::nn
