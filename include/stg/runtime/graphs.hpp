// Graphs of several kinds: vertex sets with their numbers of vertices, and relations with the edges between them.
#pragma once

#include <concepts>          // integral
#include <cstdint>           // int32_t, int64_t
#include <initializer_list>  // initializer_list
#include <span>              // span
#include <string>            // string
#include <string_view>       // string_view
#include <type_traits>       // is_same_v
#include <vector>            // vector

#include <stg/runtime/edge_values.hpp>    // edge_values
#include <stg/runtime/graph.hpp>          // graph
#include <stg/runtime/integer_range.hpp>  // IntegerRange
#include <stg/runtime/location.hpp>       // location

namespace stg {

/// A type with a name of its own and no ends: vertex_set<"paper">.
template <class Set>
concept NamedVertexSet = requires {
  Set::name::view();
}
&&requires { typename Set::is_vertex_set; };
/// A type with a name and two ends: relation<"writes", author, paper>.
template <class Relation>
concept NamedRelation = requires {
  Relation::name::view();
  Relation::source::name::view();
  Relation::destination::name::view();
};

namespace detail {
struct graphs_access;  // src/runtime/kind_table.hpp
template <class R>
inline constexpr bool joins_a_set_to_itself = std::is_same_v<typename R::source::name, typename R::destination::name>;
template <class Reverse, class Of>
inline constexpr bool is_reverse_of = std::is_same_v<typename Reverse::source::name, typename Of::destination::name>&&
    std::is_same_v<typename Reverse::destination::name, typename Of::source::name>;
}  // namespace detail

/// A vertex set in place of a relation, and vice versa: STG_SAYS_… in front of the user's function, STG_CHECK_… in its
/// body.
#define STG_IS_OF_A_RELATION \
  "stg: edges are those of a relation; write add_edges(writes, ...), edges(writes), edge_values(writes, w)"
#define STG_IS_OF_VERTICES \
  "stg: vertices are those of a vertex set, and this is a relation; write add_vertices(paper, n)"
#define STG_IS_OF_TWO_LISTS \
  "stg: add_edges takes a list of sources and one of destinations: add_edges(writes, {0, 1}, {0, 2})"
#define STG_IS_OF_A_NUMBER "stg: add_vertices takes a vertex set, then its number of vertices: add_vertices(paper, 4)"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_OF_A_RELATION(Set) __attribute__((diagnose_if(sizeof(Set) != 0, STG_IS_OF_A_RELATION, "error")))
#define STG_SAYS_OF_A_SET(Relation) __attribute__((diagnose_if(sizeof(Relation) != 0, STG_IS_OF_VERTICES, "error")))
#define STG_SAYS_OF_TWO_LISTS(Relation) \
  __attribute__((diagnose_if(sizeof(Relation) != 0, STG_IS_OF_TWO_LISTS, "error")))
#define STG_SAYS_OF_A_NUMBER(Set) __attribute__((diagnose_if(sizeof(Set) != 0, STG_IS_OF_A_NUMBER, "error")))
#define STG_CHECK_OF_TWO_LISTS(Relation)
#define STG_CHECK_OF_A_NUMBER(Set)
#define STG_CHECK_OF_A_RELATION(Set)
#define STG_CHECK_OF_A_SET(Relation)
#else
#define STG_SAYS_OF_A_RELATION(Set)
#define STG_SAYS_OF_A_SET(Relation)
#define STG_SAYS_OF_TWO_LISTS(Relation)
#define STG_SAYS_OF_A_NUMBER(Set)
#define STG_CHECK_OF_TWO_LISTS(Relation) static_assert(sizeof(Relation) == 0, STG_IS_OF_TWO_LISTS)
#define STG_CHECK_OF_A_NUMBER(Set) static_assert(sizeof(Set) == 0, STG_IS_OF_A_NUMBER)
#define STG_CHECK_OF_A_RELATION(Set) static_assert(sizeof(Set) == 0, STG_IS_OF_A_RELATION)
#define STG_CHECK_OF_A_SET(Relation) static_assert(sizeof(Relation) == 0, STG_IS_OF_VERTICES)
#endif

/// A relation of a graph and the vertex sets that it joins.
struct relation_names {
  std::string name, source, destination;
  bool operator==(const relation_names&) const = default;
};

/// A graph of several kinds of vertices and relations; calls take it in place of a graph. Sets come before the
/// relations that join them. Parallel edges are kept, and so are loops of a relation that joins a set to itself. Copies
/// share their data; adding to one leaves the others as they are.
///
///   stg::graphs g;
///   g.add_vertices(author, 3);
///   g.add_vertices(paper, 2);
///   g.add_edges(writes, {0, 1, 2}, {0, 0, 1});      // edge i: from author src[i] to paper dst[i]
///   auto y = layer(g, x = X, params);
class STG_NODISCARD(STG_GRAPH_IS_NOT_USED) graphs {
 public:
  /// Without sets.
  graphs();

  /// A vertex set of so many vertices. Errors: the name is taken, or the number is negative or beyond 2^31 - 1.
  template <NamedVertexSet Set> graphs& add_vertices(Set, std::int64_t count) {
    return add_vertices(Set::name::view(), count);
  }
  graphs& add_vertices(std::string_view set, std::int64_t count);
  /// Without a number, or with the number first: what to write.
  template <class First, class... Set>
    requires(NamedVertexSet<First> ? sizeof...(Set) == 0 : std::integral<First>)
  STG_SAYS_OF_A_NUMBER(First)
  graphs& add_vertices(First, Set...) {
    STG_CHECK_OF_A_NUMBER(First);
    return *this;
  }
  template <NamedRelation Relation> STG_SAYS_OF_A_SET(Relation) graphs& add_vertices(Relation, std::int64_t) {
    STG_CHECK_OF_A_SET(Relation);
    return *this;
  }

  /// A relation whose edge i goes from vertex src[i] of its source set to vertex dst[i] of its destination set. Errors
  /// name the relation, and the edge: a set that is not there, a name that is taken, lists of different lengths, an end
  /// that is negative or not below the number of vertices of its set.
  template <NamedRelation Relation, detail::IntegerRange Src, detail::IntegerRange Dst>
  graphs& add_edges(Relation, const Src& src, const Dst& dst) {
    return add_edges(Relation::name::view(), Relation::source::name::view(), Relation::destination::name::view(),
                     std::span<const std::int64_t>(detail::widened(src)),
                     std::span<const std::int64_t>(detail::widened(dst)));
  }
  template <NamedRelation Relation>
  graphs& add_edges(Relation relation, std::initializer_list<std::int64_t> src,
                    std::initializer_list<std::int64_t> dst) {
    return add_edges(relation, std::span(src.begin(), src.size()), std::span(dst.begin(), dst.size()));
  }
  graphs& add_edges(std::string_view relation, std::string_view source, std::string_view destination,
                    std::span<const std::int64_t> src, std::span<const std::int64_t> dst);
  /// Edges that are no two lists: what to write.
  template <NamedRelation Relation>
  STG_SAYS_OF_TWO_LISTS(Relation)
  graphs& add_edges(Relation, std::initializer_list<std::int64_t>) {
    STG_CHECK_OF_TWO_LISTS(Relation);
    return *this;
  }
  template <NamedRelation Relation>
  STG_SAYS_OF_TWO_LISTS(Relation)
  graphs& add_edges(Relation, std::initializer_list<std::initializer_list<std::int64_t>>) {
    STG_CHECK_OF_TWO_LISTS(Relation);
    return *this;
  }
  template <NamedRelation Relation, std::integral Src, std::integral Dst>
  STG_SAYS_OF_TWO_LISTS(Relation)
  graphs& add_edges(Relation, Src, Dst) {
    STG_CHECK_OF_TWO_LISTS(Relation);
    return *this;
  }
  template <NamedVertexSet Set, class Src, class Dst>
  STG_SAYS_OF_A_RELATION(Set)
  graphs& add_edges(Set, const Src&, const Dst&) {
    STG_CHECK_OF_A_RELATION(Set);
    return *this;
  }
  template <NamedVertexSet Set>
  STG_SAYS_OF_A_RELATION(Set)
  graphs& add_edges(Set, std::initializer_list<std::int64_t>, std::initializer_list<std::int64_t>) {
    STG_CHECK_OF_A_RELATION(Set);
    return *this;
  }
  template <NamedVertexSet Set, class Other>
  STG_SAYS_OF_A_RELATION(Set)
  graphs& add_edges(Set, Other, detail::any, detail::any) {
    STG_CHECK_OF_A_RELATION(Set);
    return *this;
  }
  template <NamedVertexSet Set, class Relation, class Other>
  STG_SAYS_OF_A_RELATION(Set)
  graphs& add_edges(Set, Relation, Other, detail::any, detail::any) {
    STG_CHECK_OF_A_RELATION(Set);
    return *this;
  }
  /// A relation with the edges of a graph: of one set, or the relation of other graphs. Error also if its numbers of
  /// vertices differ from the sets'.
  ///
  ///   g.add_vertices(paper, plain.vertices()).add_edges(cites, plain);
  template <NamedRelation Relation> graphs& add_edges(Relation, const graph& edges) {
    return add_edges(Relation::name::view(), Relation::source::name::view(), Relation::destination::name::view(),
                     edges);
  }
  graphs& add_edges(std::string_view relation, std::string_view source, std::string_view destination,
                    const graph& edges);

  /// Adds the reverse of an existing relation, in the same order, so that values of its edges are values of these: with
  /// parameters of its own, or to be changed. For a sum against the arrows, out_edges(writes) needs no relation of its
  /// own. Errors: the name is taken, no such relation.
  ///
  ///   g.add_reverse(written_by, writes);              // written_by = stg::relation<"written by", paper, author>
  template <NamedRelation Reverse, NamedRelation Of> graphs& add_reverse(Reverse, Of) {
    constexpr bool is_reverse = detail::is_reverse_of<Reverse, Of>;
    static_assert(is_reverse,
                  "stg: add_reverse takes a relation from the destination set of the other to its source set");
    return add_reverse(Reverse::name::view(), Of::name::view());
  }
  graphs& add_reverse(std::string_view reverse, std::string_view of);

  // The calls of graph for its edges, on a relation's edges: the same edges in the same order of their list. Values
  // made before belong to the old edges then, and a call that is given them says so. Errors: no such relation, and, but
  // for coalesce, one that joins two sets.

  /// Parallel edges merged into one. Input order: ascending by (source, destination).
  ///
  ///   g.add_edges(cites, {0, 0}, {1, 1}).coalesce(cites).add_self_loops(cites);     // 0 -> 1, and a loop per paper
  template <NamedRelation Relation> graphs& coalesce(Relation) { return coalesce(Relation::name::view()); }
  graphs& coalesce(std::string_view relation);
  /// One more loop per vertex; for each vertex without one; none; and both directions of every edge, each once.
  template <NamedRelation Relation> graphs& add_self_loops(Relation) {
    constexpr bool joins_one_set = detail::joins_a_set_to_itself<Relation>;
    static_assert(joins_one_set,
                  "stg: add_self_loops takes a relation from a vertex set to itself; other edges are no loops");
    return add_self_loops(Relation::name::view());
  }
  graphs& add_self_loops(std::string_view relation);
  template <NamedRelation Relation> graphs& add_remaining_self_loops(Relation) {
    constexpr bool joins_one_set = detail::joins_a_set_to_itself<Relation>;
    static_assert(
        joins_one_set,
        "stg: add_remaining_self_loops takes a relation from a vertex set to itself; other edges are no loops");
    return add_remaining_self_loops(Relation::name::view());
  }
  graphs& add_remaining_self_loops(std::string_view relation);
  template <NamedRelation Relation> graphs& remove_self_loops(Relation) {
    constexpr bool joins_one_set = detail::joins_a_set_to_itself<Relation>;
    static_assert(joins_one_set,
                  "stg: remove_self_loops takes a relation from a vertex set to itself; other edges are no loops");
    return remove_self_loops(Relation::name::view());
  }
  graphs& remove_self_loops(std::string_view relation);
  template <NamedRelation Relation> graphs& to_undirected(Relation) {
    constexpr bool joins_one_set = detail::joins_a_set_to_itself<Relation>;
    static_assert(
        joins_one_set,
        "stg: to_undirected takes a relation from a vertex set to itself; add_reverse adds another's reverse");
    return to_undirected(Relation::name::view());
  }
  graphs& to_undirected(std::string_view relation);

  /// Replaces a relation's edges by a graph's: the ones with loops, whose values go with them. Errors: no such
  /// relation, other numbers of vertices.
  ///
  ///   auto [edges, ages] = stg::add_self_loops(g.relation(cites), age, 0.0f);
  ///   g.replace_edges(cites, edges);                  // whose values `ages` are
  template <NamedRelation Relation> graphs& replace_edges(Relation, const graph& edges) {
    return replace_edges(Relation::name::view(), edges);
  }
  graphs& replace_edges(std::string_view relation, const graph& edges);

  /// The place of the relations' rows: stg::host, or stg::cuda(device).
  location place() const;
  /// The graphs in a different place; themselves when they lie there. On a device nothing is added, nor changed: errors
  /// for this, for no such device, and for no memory on it.
  ///
  ///   auto there = g.to(stg::cuda());
  ///   auto y = layer(there, x = X.to(stg::cuda()), params.to(stg::cuda()));
  graphs to(location where) const;

  /// Vertices of a set, edges of a relation. Errors: no such set or relation.
  template <NamedVertexSet Set> std::int64_t vertices(Set) const { return vertices(Set::name::view()); }
  std::int64_t vertices(std::string_view set) const;
  template <NamedRelation Relation> std::int64_t edges(Relation) const {
    return relation(Relation::name::view()).edges();
  }
  template <NamedRelation Relation> STG_SAYS_OF_A_SET(Relation) std::int64_t vertices(Relation) const {
    STG_CHECK_OF_A_SET(Relation);
    return 0;
  }
  template <NamedVertexSet Set> STG_SAYS_OF_A_RELATION(Set) std::int64_t edges(Set) const {
    STG_CHECK_OF_A_RELATION(Set);
    return 0;
  }

  /// The edges of a relation as a graph of sources() and destinations(), for degrees, edge lists and edge values; no
  /// plain program runs over it. Error: no such relation.
  template <NamedRelation Relation> const graph& relation(Relation) const& { return relation(Relation::name::view()); }
  template <NamedRelation Relation> graph relation(Relation) && { return relation(Relation::name::view()); }
  const graph& relation(std::string_view name) const&;
  graph relation(std::string_view name) && { return relation(name); }

  /// Names in the order in which they were added.
  std::vector<std::string> vertex_sets() const;
  std::vector<relation_names> relations() const;

  /// Puts values given per edge of a relation, (edges, ...), in the order of its edge list, where programs read them.
  template <NamedRelation Relation, TensorElement T>
  stg::edge_values<T> edge_values(Relation of, const const_tensor<T>& input_order) const {
    return relation(of).edge_values(input_order);
  }

  /// Of no relation: what to write.
  template <TensorElement T> STG_SAYS_OF_A_RELATION(T) stg::edge_values<T> edge_values(const const_tensor<T>&) const {
    STG_CHECK_OF_A_RELATION(T);
    return {};
  }
  template <NamedVertexSet Set, class Values>
  STG_SAYS_OF_A_RELATION(Set)
  const Values& edge_values(Set, const Values& values) const {
    STG_CHECK_OF_A_RELATION(Set);
    return values;
  }

  /// What calls take.
  operator const graph&() const { return carrier_; }

 private:
  friend detail::graphs_access;
  graph carrier_;
};

}  // namespace stg
