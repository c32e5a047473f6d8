// Sums over an axis of products with a factor that lacks the axis: the factor leaves the sum, which adds narrower
// values and multiplies once. An axis is one of the features, the edges of a vertex, or all vertices.
#pragma once

#include <stg/op/list.hpp>  // sum, operator*
#include <stg/rewrite.hpp>  // rewrite_rule, any_value

namespace stg::rules {

namespace detail {

/// Whether wildcard 0 is the same along an axis of the product, which has the axes of wildcard 1.
template <int Axis> struct lacks_axis {
  constexpr bool operator()(const examine::match& m) const {
    const ir::shape &whole = m.root().statement().dims, &factor = m[0].statement().dims;
    return whole.rank == m[1].statement().dims.rank && factor.from_right(whole.rank - 1 - Axis).is_one();
  }
};

template <int Axis, auto... E>
inline constexpr auto over_axis = rewrite_rule([](auto, auto a, auto x) { return sum(a * x, axis<Axis>, keepdim); },
                                               [](auto, auto a, auto x) { return a * sum(x, axis<Axis>, keepdim); },
                                               any_value, any_value.shaped<E...>())
                                      .where(lacks_axis<Axis>());

}  // namespace detail

/// Σ_f a · x[f] → a · Σ_f x[f], along axis I of a product with so many axes. Adds in the same order, rounds
/// differently.
template <int I, int Rank> inline constexpr auto factor_out_of_axis = detail::over_axis<I, extent<"A">>;
template <int I> inline constexpr auto factor_out_of_axis<I, 2> = detail::over_axis<I, extent<"A">, extent<"B">>;
template <int I>
inline constexpr auto factor_out_of_axis<I, 3> = detail::over_axis<I, extent<"A">, extent<"B">, extent<"C">>;
template <int I>
inline constexpr auto factor_out_of_axis<I, 4> =
    detail::over_axis<I, extent<"A">, extent<"B">, extent<"C">, extent<"D">>;

/// Σ_{j→i} a[i] · x[j→i] → a[i] · Σ_{j→i} x[j→i], for a value a of the vertex that owns the edges. Over no edges a sum
/// is 0 whatever a is, even a = 1/√0: so a counts only if there are edges.
inline constexpr auto owner_out_of_in_edges =
    rewrite_rule([](auto v, auto a, auto x) { return sum(v.in_edges().dst(a) * x); },
                 [](auto v, auto a, auto x) { return select(0.0 < v.in_degree(), a, 0.0) * sum(x); },
                 any_value.on_vertices(), any_value.on_in_edges());
inline constexpr auto owner_out_of_out_edges =
    rewrite_rule([](auto v, auto a, auto x) { return sum(v.out_edges().src(a) * x); },
                 [](auto v, auto a, auto x) { return select(0.0 < v.out_degree(), a, 0.0) * sum(x); },
                 any_value.on_vertices(), any_value.on_out_edges());
/// The same of a finite value of the graph.
inline constexpr auto scalar_out_of_in_edges =
    rewrite_rule([](auto, auto a, auto x) { return sum(a * x); }, [](auto, auto a, auto x) { return a * sum(x); },
                 any_value.on_graph(), any_value.on_in_edges());
inline constexpr auto scalar_out_of_out_edges =
    rewrite_rule([](auto, auto a, auto x) { return sum(a * x); }, [](auto, auto a, auto x) { return a * sum(x); },
                 any_value.on_graph(), any_value.on_out_edges());
/// Σ_i a · x[i] → a · Σ_i x[i] over all vertices, of a value a of the graph.
inline constexpr auto scalar_out_of_vertices = rewrite_rule(
    [](auto, auto a, auto x) { return sum(a * x, all_vertices); },
    [](auto, auto a, auto x) { return a * sum(x, all_vertices); }, any_value.on_graph(), any_value.on_vertices());

/// All of these, one after the other, in a program: fifteen walks.
inline constexpr auto factors_out_of_sums = [](const ir::program& p) {
  return examine::rewrite(p, factor_out_of_axis<0, 1>, factor_out_of_axis<0, 2>, factor_out_of_axis<1, 2>,
                          factor_out_of_axis<0, 3>, factor_out_of_axis<1, 3>, factor_out_of_axis<2, 3>,
                          factor_out_of_axis<0, 4>, factor_out_of_axis<1, 4>, factor_out_of_axis<2, 4>,
                          factor_out_of_axis<3, 4>, owner_out_of_in_edges, owner_out_of_out_edges,
                          scalar_out_of_in_edges, scalar_out_of_out_edges, scalar_out_of_vertices);
};

}  // namespace stg::rules
