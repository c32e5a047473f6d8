// Values at the two ends of edges, whichever side they are seen from.
#pragma once

#include <stg/dsl/vertex.hpp>     // edge_view
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

}  // namespace stg::nn::detail
