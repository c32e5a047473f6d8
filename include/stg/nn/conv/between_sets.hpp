// Convolutions along the edges of one relation, and what makes one of several: graphs of several kinds of vertices.
//
// Each takes edges instead of a vertex, g(paper).in_edges(writes) or g(author).out_edges(writes), and with them what
// lives at their other ends, x, and what lives at the vertices that own them, own.
#pragma once

#include <type_traits>  // is_convertible_v

#include <stg/dsl/edges.hpp>          // edge_view
#include <stg/dsl/other_calls.hpp>    // STG_OTHER_CALLS
#include <stg/nn/conv/attention.hpp>  // reshape_as
#include <stg/nn/conv/spatial.hpp>    // aggregate, counted_again
#include <stg/nn/ends.hpp>            // at_other_end, at_owner
#include <stg/nn/transform.hpp>       // transform, transform_through
#include <stg/op/for_layers.hpp>      // for_layers
#include <stg/op/list.hpp>            // sum, mean, max, softmax

namespace stg::nn {

/// own_i W_self + aggregate_j(x_j) W_neighbours over the edges of a relation: x (in), own (in of its set), W_self (in
/// of its set, out), W_neighbours (in, out) → (out). A vertex without such edges gets 0 from them. PyG's SAGEConv of a
/// pair.
///
///   auto y = stg::nn::sage_conv(p.in_edges(writes), a(x), p(own), U, W);
template <aggregate How = aggregate::mean, class Side, class X, class Own, class Self, class Neighbours>
STG_SAYS_ENDS("sage_conv")
constexpr auto sage_conv(edge_view<Side> e, X x, Own own, Self w_self, Neighbours w_neighbours) {
  constexpr bool in_order = detail::ends_in_order<Side, X, Own>;
  STG_CHECK_ENDS("sage_conv");
  if constexpr (in_order) {
    const auto mine = transform(own, w_self);
    if constexpr (How == aggregate::max) return mine + transform(max(detail::at_other_end(e, x)), w_neighbours);
    else if constexpr (How == aggregate::sum)
      return mine + transform_through([e](auto h) { return sum(detail::at_other_end(e, h)); }, x, w_neighbours);
    else return mine + transform_through([e](auto h) { return mean(detail::at_other_end(e, h)); }, x, w_neighbours);
  } else {
    return mistake();
  }
}

/// mlp((1 + eps) own_i + Σ_j x_j) over the edges of a relation: x and own (in), mlp and eps as in gin_conv → (out).
/// PyG's GINConv of a pair.
template <class Side, class X, class Own, class Mlp, class Eps = double>
STG_SAYS_ENDS("gin_conv")
constexpr auto gin_conv(edge_view<Side> e, X x, Own own, Mlp mlp, Eps eps = Eps()) {
  constexpr bool in_order = detail::ends_in_order<Side, X, Own>;
  STG_CHECK_ENDS("gin_conv");
  if constexpr (in_order) {
    return transform(detail::counted_again(own, eps) + sum(detail::at_other_end(e, x)), mlp);
  } else {
    return mistake();
  }
}

/// Σ_j α_ij x_j W_src with α = softmax_j leaky_relu(a_dst · own_i W_dst + a_src · x_j W_src) over the edges of a
/// relation: x (in), own (in of its set), W_src and W_dst (in of each, heads · dim), a_src and a_dst (heads, dim) →
/// (heads, dim). PyG's GATConv of a pair.
///
///   auto y = stg::nn::gat_conv(p.in_edges(writes), a(x), p(own), W, U, s, d);
template <class Side, class X, class Own, class WSource, class WDestination, class Source, class Destination>
STG_SAYS_ENDS("gat_conv")
constexpr auto gat_conv(edge_view<Side> e, X x, Own own, WSource w_src, WDestination w_dst, Source a_src,
                        Destination a_dst, written attention_dropout = 0, double slope = 0.2) {
  constexpr bool in_order = detail::ends_in_order<Side, X, Own>;
  STG_CHECK_ENDS("gat_conv");
  if constexpr (in_order) {
    using heads = typename for_layers::operand_traits<Source>::dims;
    const auto h = detail::reshape_as(transform(x, w_src), heads());
    const auto mine = detail::reshape_as(transform(own, w_dst), heads());
    const auto ends = detail::at_other_end(e, sum(h * a_src, axis<-1>, keepdim)) +
                      detail::at_owner(e, sum(mine * a_dst, axis<-1>, keepdim));
    return sum(dropout(softmax(leaky_relu(ends, slope)), attention_dropout) * detail::at_other_end(e, h));
  } else {
    return mistake();
  }
}

/// Σ_j α_ij x_j W_src with α = softmax_j a · leaky_relu(own_i W_dst + x_j W_src) over the edges of a relation: shapes
/// as above, a (heads, dim). PyG's GATv2Conv of a pair.
template <class Side, class X, class Own, class WSource, class WDestination, class A>
STG_SAYS_ENDS("gatv2_conv")
constexpr auto gatv2_conv(edge_view<Side> e, X x, Own own, WSource w_src, WDestination w_dst, A a,
                          written attention_dropout = 0, double slope = 0.2) {
  constexpr bool in_order = detail::ends_in_order<Side, X, Own>;
  STG_CHECK_ENDS("gatv2_conv");
  if constexpr (in_order) {
    using heads = typename for_layers::operand_traits<A>::dims;
    const auto h = detail::reshape_as(transform(x, w_src), heads());
    const auto mine = detail::reshape_as(transform(own, w_dst), heads());
    const auto both = leaky_relu(detail::at_other_end(e, h) + detail::at_owner(e, mine), slope);
    return sum(dropout(softmax(sum(both * a, axis<-1>, keepdim)), attention_dropout) * detail::at_other_end(e, h));
  } else {
    return mistake();
  }
}

/// What convolutions along several relations make of a vertex set, as one: their sum, mean or maximum, each of the same
/// shape. concat<axis<0>>(a, b) puts them side by side. PyG's HeteroConv.
///
///   auto y = stg::nn::across_relations<stg::nn::aggregate::mean>(by_authors, by_citations);
template <aggregate How = aggregate::sum, class First, class... Rest>
constexpr auto across_relations(First first, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0) return first;
  else if constexpr (How == aggregate::max) return max(first, across_relations<How>(rest...));
  else if constexpr (How == aggregate::sum) return first + across_relations<How>(rest...);
  else return (1.0 / (1 + sizeof...(Rest))) * across_relations<aggregate::sum>(first, rest...);
}

/// mean_j x_j W over the edges of a relation: its term in rgcn_conv. x (in), W (in, out), a parameter or a matrix of
/// bases → (out).
template <class Side, class X, class W> constexpr auto mean_over(edge_view<Side> e, X x, W w) {
  return transform_through([e](auto h) { return mean(detail::at_other_end(e, h)); }, x, w);
}

/// W = Σ_b a_b V_b: a relation's coefficients a (bases), which begin drawn, and the bases V (bases, in, out) that
/// relations share → (in, out). Schlichtkrull et al., ESWC 2018, equation 3.
template <class A, class V> constexpr auto basis_matrix(A a, V bases) {
  constexpr auto count = axis_extent<typename for_layers::operand_traits<A>::dims, 0>;
  return sum(reshape<count, 1, 1>(for_layers::begun(a, init::glorot_uniform)) * bases, axis<0>);
}

/// own_i W_self + Σ_r mean_{j in N_r(i)} x_j W_r: own (in of its set), and a term mean_over(edges, x, W) for each
/// relation into, or out of, the set → (out). Schlichtkrull et al., ESWC 2018, equation 2, with a matrix of its own, or
/// of bases, for each relation; PyG's RGCNConv over the edge types of HeteroData.
///
///   auto y = stg::nn::rgcn_conv(p(own), W, stg::nn::mean_over(p.in_edges(writes), a(x), A),
///                               stg::nn::mean_over(p.in_edges(cites), p(own), stg::nn::basis_matrix(c, V)));
template <class Own, class Self, class... Terms>
  requires(!std::is_convertible_v<Own, vertex_view>)  // the one of a plain graph takes its vertex first
constexpr auto rgcn_conv(Own own, Self w_self, Terms... terms) {
  return transform(own, w_self) + across_relations(terms...);
}

// Calls that are none of these.
STG_OTHER_CALLS(edges, 3, 3, "mean_over", "mean_over(edges, a(x), W)", mistake, mean_over)

}  // namespace stg::nn
