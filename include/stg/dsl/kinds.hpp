// Vertex sets and relations: graphs of several kinds of vertices, and a lambda's readings of each.
#pragma once

#include <type_traits>  // conditional_t, remove_cvref_t

#include <stg/dsl/symbol.hpp>  // declare, symbol_arguments

namespace stg {

/// A vertex set by its name; made by vertex_set<"paper">.
template <class Name> struct vertex_set_type {
  using name = Name;
  using is_vertex_set = void;

  /// Read without the lambda's argument: what to write.
  template <class... X> constexpr mistake operator()(const X&...) const { return unread<X...>(); }

  /// One value per vertex of the set: paper.feature<"x", 16>. As vertex_feature; bound to a tensor (vertices,
  /// extents…).
  template <fixed_string N, auto... Extents>
  static constexpr auto feature =
      detail::declare<space::vertices_of<vertex_set_type>, false, detail::symbol_arguments<Extents...>>(
          detail::spell<N, stg::name>::value);

 private:
  template <class... X> static constexpr mistake unread() {
    constexpr bool is_read = sizeof...(X) > 99;
    static_assert(is_read, "stg: a vertex set is read through the lambda's argument: g(paper)(x)");
    return {};
  }
};

/// A relation by its name, with the vertex sets that its edges start and end in; made by relation<"writes", author,
/// paper>.
template <class Name, class Source, class Destination> struct relation_type {
  using name = Name;
  using source = Source;
  using destination = Destination;

  /// One value per edge: writes.feature<"w">. As edge_feature; bound to graphs.edge_values(writes, W).
  template <fixed_string N, auto... Extents>
  static constexpr auto feature =
      detail::declare<space::in_edges_of<relation_type>, false, detail::symbol_arguments<Extents...>>(
          detail::spell<N, stg::name>::value);
};

namespace detail {
template <class X> inline constexpr bool is_vertex_set = false;
template <class N> inline constexpr bool is_vertex_set<vertex_set_type<N>> = true;
template <class X> inline constexpr bool is_relation = false;
template <class N, class S, class D> inline constexpr bool is_relation<relation_type<N, S, D>> = true;

/// The ends of a relation after a reported mistake.
using no_set = vertex_set_type<name<'_'>>;

template <char... C> constexpr auto declare_set(name<C...>) {
  constexpr bool has_room = sizeof...(C) > 0 && sizeof...(C) <= text::capacity;
  static_assert(has_room, "stg: the name of a vertex set or relation has 1 to 62 characters");
  return vertex_set_type<std::conditional_t<has_room, name<C...>, name<'_'>>>();
}
template <class Source, class Destination, char... C> constexpr auto declare_relation(name<C...>) {
  constexpr bool has_room = sizeof...(C) > 0 && sizeof...(C) <= text::capacity;
  constexpr bool joins_sets = is_vertex_set<Source> && is_vertex_set<Destination>;
  static_assert(has_room, "stg: the name of a vertex set or relation has 1 to 62 characters");
  static_assert(joins_sets, "stg: a relation joins two vertex sets: relation<\"writes\", author, paper>");
  return relation_type<std::conditional_t<has_room, name<C...>, name<'_'>>,
                       std::conditional_t<joins_sets, Source, no_set>,
                       std::conditional_t<joins_sets, Destination, no_set>>();
}
}  // namespace detail

/// One kind of vertices, by its name: `inline constexpr auto paper = stg::vertex_set<"paper">;`. A set is told by its
/// name alone.
template <fixed_string Name> inline constexpr auto vertex_set = detail::declare_set(detail::spell<Name, name>::value);

/// Edges from the vertices of one set to those of another one, or of the same: relation<"writes", author, paper>. The
/// reverse relation is the same edges seen from their sources: out_edges(writes).
template <fixed_string Name, auto Source = 0, auto Destination = 0>
inline constexpr auto relation =
    detail::declare_relation<std::remove_cvref_t<decltype(Source)>, std::remove_cvref_t<decltype(Destination)>>(
        detail::spell<Name, name>::value);

}  // namespace stg
