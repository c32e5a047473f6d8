// The messages for a call without an overload of its layer or function: its vertex or edges are missing, a value is not
// read or stands in another's place, or it has too few or too many arguments.
#pragma once

#include <concepts>  // derived_from

#include <stg/base/config.hpp>  // STG_SAYS_AT_CALLS
#include <stg/dsl/edges.hpp>    // edge_view
#include <stg/dsl/vertex.hpp>   // vertex_view

namespace stg {

namespace detail {

/// The first argument of a call.
enum class first : int {
  vertex,           // and a value behind it
  vertex_and_more,  // and a feature or a value
  edges,
  vertex_or_edges,
  value
};

template <class X> inline constexpr bool is_place = std::derived_from<X, vertex_view>;
template <class X> inline constexpr bool is_place_of_set = false;
template <class Set> inline constexpr bool is_place_of_set<set_view<Set>> = true;
/// A feature, and no parameter or scalar: it has a value once a vertex or an edge reads it.
template <class X> inline constexpr bool is_feature = is_symbol<X> && !is_graph_symbol<X>;

template <first First, class X = void, class... Rest> constexpr bool begins_right() {
  if constexpr (First == first::vertex || First == first::vertex_and_more) return is_place<X>;
  else if constexpr (First == first::edges) return is_edge_view<X>;
  else if constexpr (First == first::vertex_or_edges) return is_place<X> || is_edge_view<X>;
  else return !std::is_void_v<X> && !is_place<X> && !is_place_of_set<X> && !is_feature<X>;
}
/// A value behind the vertex is computed or read; a parameter in its place has changed places with it.
template <class Place = void, class X = void, class... Rest> constexpr bool reads_second() {
  return !is_place<Place> || !is_symbol<X>;
}

/// The rules for the arguments of a call, `Least` to `Most` of them. Only the first broken rule is false.
template <first First, int Least, int Most, class... A> struct call_form {
  static constexpr int count = sizeof...(A);
  static constexpr bool spoiled = (is_mistake<A> || ...);  // and was reported
  static constexpr bool is_of_vertex = First == first::vertex || First == first::vertex_and_more;
  static constexpr bool of_one_set = spoiled || !is_of_vertex || !(is_place_of_set<A> || ...);
  static constexpr bool begins = spoiled || !of_one_set || begins_right<First, A...>();
  static constexpr bool is_read =
      spoiled || !of_one_set || !begins || First == first::vertex_and_more || reads_second<A...>();
  static constexpr bool may_count = !spoiled && of_one_set && begins && is_read;
  static constexpr bool as_many = !may_count || (count >= Least && count <= Most);
  static constexpr bool ok = may_count && as_many;
};

}  // namespace detail

/// Not a feature without its vertex, nor a vertex in a value's place.
template <class X>
concept Read = !detail::is_feature<X> && !detail::is_place<X>;
/// An argument of a layer behind its vertex: computed or read, and not one of its parameters.
template <class X>
concept Computed = !Symbol<X>;

/// Below a layer, the advice for calls of no overload: STG_OTHER_CALLS(vertex, 3, 3, "gcn_conv",
/// "gcn_conv(v, v(x), W)", mistake, gcn_conv). Arguments are `least` to `most`; `result` is the type of the call's
/// result, so that a state keeps its members. In a cell it ends with `operator(), const`.
#define STG_IS_OF_ONE_SET \
  "stg: this layer is for graphs with one set of vertices; between sets take sage_conv, gin_conv or gat_conv"
#if defined(__CUDACC__)  // nvcc does not tell overloads of templates that take references apart
#define STG_OTHER_CALLS(begin, least, most, what, form, result, function, ...)
#elif STG_SAYS_AT_CALLS
#define STG_OTHER_CALLS(begin, least, most, what, form, result, function, ...)                                    \
  template <auto... T, class... A>                                                                                \
    requires(!::stg::detail::call_form<::stg::detail::first::begin, least, most, A...>::ok)                       \
  __attribute__((                                                                                                 \
      diagnose_if(!(::stg::detail::call_form<::stg::detail::first::begin, least, most, A...>::of_one_set),        \
                  STG_IS_OF_ONE_SET, "error"),                                                                    \
      diagnose_if(!(::stg::detail::call_form<::stg::detail::first::begin, least, most, A...>::begins),            \
                  "stg: " what STG_BEGINS_WITH_##begin form, "error"),                                            \
      STG_SAYS_READ_##begin(what, form, ::stg::detail::call_form<::stg::detail::first::begin, least, most, A...>) \
          diagnose_if(!(::stg::detail::call_form<::stg::detail::first::begin, least, most, A...>::as_many),       \
                      "stg: " what " has too few or too many arguments; write " form, "error"))) constexpr result \
  function(const A&...) __VA_ARGS__ {                                                                             \
    return {};                                                                                                    \
  }
#define STG_SAYS_READ_vertex(what, form, ...) \
  diagnose_if(!(__VA_ARGS__::is_read), "stg: " what " takes a value that is read behind v: " form, "error"),
#define STG_SAYS_READ_vertex_or_edges(what, form, ...) STG_SAYS_READ_vertex(what, form, __VA_ARGS__)
#else
#define STG_OTHER_CALLS(begin, least, most, what, form, result, function, ...)                                        \
  template <auto... T, class... A>                                                                                    \
    requires(!::stg::detail::call_form<::stg::detail::first::begin, least, most, A...>::ok)                           \
  constexpr result function(const A&...) __VA_ARGS__ {                                                                \
    using rules = ::stg::detail::call_form<::stg::detail::first::begin, least, most, A...>;                           \
    static_assert(rules::of_one_set, STG_IS_OF_ONE_SET);                                                              \
    static_assert(rules::begins, "stg: " what STG_BEGINS_WITH_##begin form);                                          \
    STG_CHECK_READ_##begin(what, form) static_assert(rules::as_many,                                                  \
                                                     "stg: " what " has too few or too many arguments; write " form); \
    return {};                                                                                                        \
  }
#define STG_CHECK_READ_vertex(what, form) \
  static_assert(rules::is_read, "stg: " what " takes a value that is read behind v: " form);
#define STG_CHECK_READ_vertex_or_edges(what, form) STG_CHECK_READ_vertex(what, form)
#endif
#define STG_SAYS_READ_vertex_and_more(...)
#define STG_SAYS_READ_edges(...)
#define STG_SAYS_READ_value(...)
#define STG_CHECK_READ_vertex_and_more(...)
#define STG_CHECK_READ_edges(...)
#define STG_CHECK_READ_value(...)
#define STG_BEGINS_WITH_vertex " takes the vertex first: "
#define STG_BEGINS_WITH_vertex_and_more " takes the vertex first: "
#define STG_BEGINS_WITH_edges " takes edges first: "
#define STG_BEGINS_WITH_vertex_or_edges " takes the vertex, or edges, first: "
#define STG_BEGINS_WITH_value " takes a value first, one that is read: "

}  // namespace stg
