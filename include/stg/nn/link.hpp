// Scores of pairs of vertices, from what is known of both ends: the decoders of link prediction.
#pragma once

#include <stg/dsl/other_calls.hpp>  // STG_OTHER_CALLS
#include <stg/nn/transform.hpp>     // transform
#include <stg/op/list.hpp>          // sum, concat

namespace stg::nn {

// Of pairs of one set both ends have the same value, z; of pairs between two sets the sources have z_src and the
// destinations z_dst.

/// z_src · z_dst of each edge, (d) and (d) → (). The logit of Kipf and Welling's inner product decoder
/// (arXiv:1611.07308, equation 2); PyG's InnerProductDecoder with sigmoid=False.
///
///   auto s = stg::nn::dot_score(g(paper).in_edges(writes), g(author)(za), g(paper)(zp));   // on graphs of pairs
template <class Side, class Src, class Dst> constexpr auto dot_score(edge_view<Side> pair, Src z_src, Dst z_dst) {
  return sum(pair.src(z_src) * pair.dst(z_dst), axis<0>);
}
///   auto s = stg::nn::dot_score(v.in_edges(), v(z));   // on a graph of pairs
template <class Side, class Z> constexpr auto dot_score(edge_view<Side> pair, Z z) { return dot_score(pair, z, z); }

/// -‖z_src - z_dst‖² of each edge, (d) and (d) → (): the nearer two vertices lie, the larger, as in translating
/// embeddings (Bordes et al., NeurIPS 2013, equation 1, with one relation that translates by 0). Squared, so that it
/// has a gradient where both are one.
template <class Side, class Src, class Dst> constexpr auto distance_score(edge_view<Side> pair, Src z_src, Dst z_dst) {
  auto apart = pair.src(z_src) - pair.dst(z_dst);
  return -sum(apart * apart, axis<0>);
}
template <class Side, class Z> constexpr auto distance_score(edge_view<Side> pair, Z z) {
  return distance_score(pair, z, z);
}

/// What a network makes of [z_src, z_dst] of each edge, (d) and (e) → (): a function of (d + e) to (1), such as
///
///   auto s = stg::nn::network_score(v.in_edges(), v(z),
///                                   [](auto both) { return linear(relu(linear(both, W1, b1)), W2, b2); });
///
/// or a parameter (d + e, 1). OGB's LinkPredictor takes the product of both ends in the place of the pair (Hu et al.,
/// NeurIPS 2020).
template <class Side, class Src, class Dst, class Network>
constexpr auto network_score(edge_view<Side> pair, Src z_src, Dst z_dst, Network network) {
  return sum(transform(concat<axis<0>>(pair.src(z_src), pair.dst(z_dst)), network), axis<0>);
}
template <class Side, class Z, class Network> constexpr auto network_score(edge_view<Side> pair, Z z, Network network) {
  return network_score(pair, z, z, network);
}

// Calls that are none of these.
STG_OTHER_CALLS(edges, 2, 3, "dot_score", "dot_score(v.in_edges(), v(z))", mistake, dot_score)
STG_OTHER_CALLS(edges, 2, 3, "distance_score", "distance_score(v.in_edges(), v(z))", mistake, distance_score)
STG_OTHER_CALLS(edges, 3, 4, "network_score", "network_score(v.in_edges(), v(z), network)", mistake, network_score)

}  // namespace stg::nn
