// Constants of a shape: zeros ones full; the same everywhere, or one for each vertex or edge.
#pragma once

#include <concepts>  // integral

#include <stg/base/instead.hpp>  // STG_INSTEAD_FOR
#include <stg/dsl/build.hpp>     // constant, emit
#include <stg/dsl/edges.hpp>     // edge_view
#include <stg/dsl/loose.hpp>     // loose_expr
#include <stg/dsl/symbol.hpp>    // symbol_arguments
#include <stg/dsl/vertex.hpp>    // vertex_view

namespace stg {

namespace detail {
/// An optional scalar type, then extents, as of a symbol; without a type it is that of what the constant meets.
template <auto... Args> struct fill_arguments : symbol_arguments<Args...> {
  static constexpr scalar_type type = scalar_type::real;
};
template <scalar_type T, auto... Extents> struct fill_arguments<T, Extents...> : symbol_arguments<T, Extents...> {};

template <class S, auto... Args> constexpr auto filled(tracer* t, double value) {
  using args = fill_arguments<Args...>;
  constexpr bool are_extents = args::are_extents && args::are_sizes && args::are_few;
  static_assert(are_extents,
                "stg: full takes a scalar type, if any, and then at most four extents: full<f64, 8, 16>(v, 0.5)");
  constexpr bool are_short = args::are_short;
  static_assert(are_short, "stg: full takes sums of at most four products of three names; give a part its own");
  constexpr bool is_computed_with = !is_storage(args::type);
  static_assert(is_computed_with, "stg: bf16 and f16 only store; write cast<bf16>(full<8>(v, 0.5))");
  constexpr scalar_type type = computed_in(args::type);
  return emit<S, typename args::dims, type>(t, ir::opcode::broadcast_to, constant<type>(t, value).id);
}
}  // namespace detail

/// A constant of shape (extents…), the same everywhere: full<8, 16>(0.5), full<i32, 4>(-1), full<extent<"F">>(1). Its
/// type is that of what it meets, f32 where it meets none, unless it is said.
template <auto... Args> constexpr auto full(double value) {
  using args = detail::fill_arguments<Args...>;
  constexpr bool are_extents = args::are_extents && args::are_sizes && args::are_few;
  static_assert(are_extents,
                "stg: full takes a scalar type, if any, and then at most four extents: full<f64, 8, 16>(0.5)");
  constexpr bool are_short = args::are_short;
  static_assert(are_short, "stg: full takes sums of at most four products of three names; give a part its own");
  constexpr bool is_computed_with = !is_storage(args::type);
  static_assert(is_computed_with, "stg: bf16 and f16 only store; write cast<bf16>(full<8>(0.5))");
  using dims = typename args::dims;
  constexpr scalar_type type = computed_in(args::type);
  tracer t;
  auto one = detail::constant<type>(&t, value);
  if constexpr (dims::rank == 0) return detail::loosened(t, one);
  else return detail::loosened(t, detail::emit<space::graph, dims, type>(&t, ir::opcode::broadcast_to, one.id));
}
/// full<…>(0): zeros<16>().
template <auto... Args> constexpr auto zeros() { return full<Args...>(0); }
/// full<…>(1).
template <auto... Args> constexpr auto ones() { return full<Args...>(1); }

/// The same as a value for each vertex, or for each edge, which a scan can begin with: zeros<16>(v), zeros<16>(e).
template <auto... Args> constexpr auto full(vertex_view v, double value) {
  return detail::filled<space::vertex, Args...>(v.trace, value);
}
template <auto... Args, class Set> constexpr auto full(set_view<Set> v, double value) {
  return detail::filled<space::vertices_of<Set>, Args...>(v.trace, value);
}
template <auto... Args, class Side> constexpr auto full(edge_view<Side> e, double value) {
  return detail::filled<Side, Args...>(e.trace, value);
}
template <auto... Args> constexpr auto zeros(vertex_view v) { return full<Args...>(v, 0); }
template <auto... Args, class Set> constexpr auto zeros(set_view<Set> v) { return full<Args...>(v, 0); }
template <auto... Args, class Side> constexpr auto zeros(edge_view<Side> e) { return full<Args...>(e, 0); }
template <auto... Args> constexpr auto ones(vertex_view v) { return full<Args...>(v, 1); }
template <auto... Args, class Set> constexpr auto ones(set_view<Set> v) { return full<Args...>(v, 1); }
template <auto... Args, class Side> constexpr auto ones(edge_view<Side> e) { return full<Args...>(e, 1); }

// Extents as arguments: what to write.
STG_INSTEAD_FOR((std::integral Extent), sizeof(Extent) == 0, "stg: extents stand in brackets: zeros<16>(v)",
                constexpr mistake zeros(Extent, detail::any = {}, detail::any = {}))
STG_INSTEAD_FOR((std::integral Extent), sizeof(Extent) == 0, "stg: extents stand in brackets: ones<16>(v)",
                constexpr mistake ones(Extent, detail::any = {}, detail::any = {}))
STG_INSTEAD_FOR((std::integral Extent), sizeof(Extent) == 0, "stg: extents stand in brackets: full<16>(v, 0.5)",
                constexpr mistake full(Extent, detail::any))

}  // namespace stg
