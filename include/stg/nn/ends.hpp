// Values at the two ends of edges, whichever side they are seen from.
#pragma once

#include <stg/dsl/vertex.hpp>     // edge_view
#include <stg/op/aggregate.hpp>   // sum
#include <stg/op/for_layers.hpp>  // for_layers

namespace stg::nn::detail {

/// A value of the vertices at the other ends of edges, at each edge.
template <class Side, class X> constexpr auto at_other_end(edge_view<Side> e, X x) {
  if constexpr (for_layers::side_of<Side> == ir::direction::in) return e.src(x);
  else return e.dst(x);
}
/// A value of the vertices that own the edges, at each edge.
template <class Side, class X> constexpr auto at_owner(edge_view<Side> e, X x) {
  if constexpr (for_layers::side_of<Side> == ir::direction::in) return e.dst(x);
  else return e.src(x);
}

/// The same edges seen from their other ends.
template <class Side> struct other_side;
template <> struct other_side<space::in_edge> { using type = space::out_edge; };
template <> struct other_side<space::out_edge> { using type = space::in_edge; };
template <class R> struct other_side<space::in_edges_of<R>> { using type = space::out_edges_of<R>; };
template <class R> struct other_side<space::out_edges_of<R>> { using type = space::in_edges_of<R>; };

/// A value of the vertices that own edges, at the vertices of the other ends, each of which has one such edge: what is
/// known of a graph of a batch, at the vertices of that graph. 0 at a vertex without one.
template <class Side, class X> constexpr auto at_members(edge_view<Side> e, X x) {
  return sum(at_other_end(edge_view<typename other_side<Side>::type>{e.trace}, x));
}

}  // namespace stg::nn::detail
