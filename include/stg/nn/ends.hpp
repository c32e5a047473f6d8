// Values at the two ends of edges, whichever side they are seen from.
#pragma once

#include <type_traits>  // is_same_v

#include <stg/base/config.hpp>    // STG_SAYS_AT_CALLS
#include <stg/dsl/edges.hpp>      // edge_view
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

/// Whether a layer between two sets was given the two values in their order: what lives at the other ends, then what
/// the vertices have that own the edges.
template <class Side, class X, class Own> constexpr bool find_order_of_ends() {
  if constexpr (!Expression<X> || !Expression<Own>) return true;
  else {
    using mine = for_layers::owner_of<Side>;
    using theirs = for_layers::owner_of<typename other_side<Side>::type>;
    using x = typename for_layers::operand_traits<X>::where;
    using own = typename for_layers::operand_traits<Own>::where;
    return std::is_same_v<mine, theirs> || !std::is_same_v<x, mine> || !std::is_same_v<own, theirs>;
  }
}
template <class Side, class X, class Own> inline constexpr bool ends_in_order = find_order_of_ends<Side, X, Own>();

}  // namespace stg::nn::detail

/// In front of a layer between two sets, and in its body.
#define STG_EXCHANGES_ENDS(layer) \
  "stg: " layer " takes what lives at the other ends of the edges, then its own vertices'; exchange the two"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_ENDS(layer) \
  __attribute__((diagnose_if(!(detail::ends_in_order<Side, X, Own>), STG_EXCHANGES_ENDS(layer), "error")))
#define STG_CHECK_ENDS(layer)
#else
#define STG_SAYS_ENDS(layer)
#define STG_CHECK_ENDS(layer) static_assert(in_order, STG_EXCHANGES_ENDS(layer))
#endif
