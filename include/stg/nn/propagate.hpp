// Sums over neighbours that degrees normalise, and weights of the edges that they go along.
#pragma once

#include <concepts>  // derived_from

#include <stg/dsl/other_calls.hpp>  // STG_OTHER_CALLS, Computed
#include <stg/dsl/vertex.hpp>       // vertex_view
#include <stg/dsl/written.hpp>      // written, here
#include <stg/op/for_layers.hpp>    // for_layers
#include <stg/op/list.hpp>          // sum, rsqrt, select, dropout

namespace stg::nn {

/// A vertex whose in-edges have weights. Made by weighted(v, w).
template <class Weight> struct weighted_view : vertex_view { Weight weight; };

template <class V>
concept Vertex = std::derived_from<V, vertex_view>;

/// The vertex with a weight for each of its in-edges: an edge feature or an edge value, shape (). It stands in the
/// place of v in layers that know weights.
///
///   auto y = stg::nn::gcn_conv(stg::nn::weighted(v, w), v(x), W);
template <class W> constexpr auto weighted(vertex_view v, W w) {
  auto weight = v.in_edges()(w);
  return weighted_view<decltype(weight)>{v, weight};
}

namespace detail {
template <class> inline constexpr bool reads_weights = false;
/// Looked into where weighted(v, w) is to become the vertex of a layer that takes no weights: beside the user's line.
template <class Weight> struct is_left_unread {
  static constexpr bool is_read = reads_weights<Weight>;
  static_assert(is_read,
                "stg: this layer takes no edge weights; pass v in place of weighted(v, w), or write it with e(w) * "
                "e.src(x)");
  static constexpr bool value = true;
};
}  // namespace detail

/// The vertex of a layer that takes no weights, which would else leave them unread.
struct unweighted_view : vertex_view {
  constexpr unweighted_view(vertex_view v) : vertex_view(v) {}
  template <class Weight, bool = detail::is_left_unread<Weight>::value>
  constexpr unweighted_view(const weighted_view<Weight>& v) : vertex_view(v) {}
};

/// message, times the edge's weight where edges have one.
template <class Message> constexpr auto weigh(vertex_view, Message message) { return message; }
template <class Weight, class Message> constexpr auto weigh(const weighted_view<Weight>& v, Message message) {
  return v.weight * message;
}

/// 1 / √degree over in-edges, 0 for a vertex without any: the symmetric normalisation's factor. Shape ().
template <scalar_type T = scalar_type::real> constexpr auto inverse_sqrt_degree(vertex_view v) {
  auto degree = v.template in_degree<T>();
  return select(degree > 0.0, rsqrt(degree), 0.0);
}
/// The same where the degree is the sum of weights; 0 where that is not above 0. Its gradient is finite everywhere.
template <scalar_type T, class Weight> constexpr auto inverse_sqrt_degree(const weighted_view<Weight>& v) {
  auto degree = sum(v.weight);
  return select(degree > 0.0, rsqrt(select(degree > 0.0, degree, 1.0)), 0.0);
}

/// P x = D^-1/2 A D^-1/2 x over in-edges: Σ_j w_ji x_j / √(d_i d_j), where d is the in-degree or the sum of weights.
/// Shape as x's. Loops are the graph's (`add_self_loops`).
template <Vertex V, Computed X> constexpr auto propagate(V v, X x) {
  auto norm = inverse_sqrt_degree<for_layers::operand_traits<X>::type>(v);
  return norm * sum(weigh(v, v.in_edges().src(norm * x)));
}
/// The same with edges dropped in training.
template <Vertex V, Computed X> constexpr auto propagate(V v, X x, written edge_dropout) {
  auto e = v.in_edges();
  auto norm = inverse_sqrt_degree<for_layers::operand_traits<X>::type>(v);
  return norm * sum(weigh(v, dropout(e.src(norm), edge_dropout) * e.src(x)));
}

namespace detail {
/// A number of hops is whole: 0.1 or 2.5 in its place is another argument, or a mistake.
template <class Hops> inline constexpr bool is_count = std::is_integral_v<Hops> && !std::is_same_v<Hops, bool>;
/// The number of hops, after noting one below 0.
template <class X, class Hops> constexpr int hops_of(X x, Hops hops, int line) {
  if constexpr (!is_count<Hops>) return 0;
  else if (hops < 0) x.trace->note(ir::mistake::hops_below_0, text("hops"), line);
  return static_cast<int>(hops);
}
}  // namespace detail
#if STG_SAYS_AT_CALLS
#define STG_SAYS_HOPS(Hops, what, form) \
  __attribute__((diagnose_if(!detail::is_count<Hops>, "stg: " what " takes a whole number of hops: " form, "error")))
#define STG_CHECK_HOPS(Hops, what, form)
#else
#define STG_SAYS_HOPS(Hops, what, form)
#define STG_CHECK_HOPS(Hops, what, form)            \
  constexpr bool is_count = detail::is_count<Hops>; \
  static_assert(is_count, "stg: " what " takes a whole number of hops: " form)
#endif

/// P^hops x.
template <Vertex V, Computed X, class Hops>
STG_SAYS_HOPS(Hops, "propagate_times", "propagate_times(v, h, 2)")
constexpr auto propagate_times(V v, X x, Hops hops, here called = here()) {
  STG_CHECK_HOPS(Hops, "propagate_times", "propagate_times(v, h, 2)");
  if constexpr (Expression<X>) {
    const int times = detail::hops_of(x, hops, called.line);
    for (int k = 0; k < times; ++k) x = propagate(v, x);
  }
  return x;
}

// Calls that are none of these.
STG_OTHER_CALLS(vertex_and_more, 2, 2, "weighted", "weighted(v, w)", mistake, weighted)
STG_OTHER_CALLS(vertex, 2, 3, "propagate", "propagate(v, h)", mistake, propagate)
STG_OTHER_CALLS(vertex, 3, 3, "propagate_times", "propagate_times(v, h, 2)", mistake, propagate_times)

}  // namespace stg::nn
