// Graphs of several kinds: vertex sets with their numbers of vertices, and relations with the edges between them.
#pragma once

#include <cstdint>           // int32_t, int64_t
#include <initializer_list>  // initializer_list
#include <span>              // span
#include <string_view>       // string_view

#include <stg/runtime/edge_values.hpp>    // edge_values
#include <stg/runtime/graph.hpp>          // graph
#include <stg/runtime/integer_range.hpp>  // IntegerRange

namespace stg {

/// What has a name of its own and no ends: vertex_set<"paper">.
template <class Set>
concept NamedVertexSet = requires {
  Set::name::view();
}
&&requires { typename Set::is_vertex_set; };
/// What has a name and two ends: relation<"writes", author, paper>.
template <class Relation>
concept NamedRelation = requires {
  Relation::name::view();
  Relation::source::name::view();
  Relation::destination::name::view();
};

/// A graph of several kinds of vertices and relations; calls take it in place of a graph. Sets come before the
/// relations that join them. Parallel edges are kept, and so are loops where a relation joins a set to itself. Copies
/// share what they have; adding to one leaves the others as they are.
///
///   stg::graphs g;
///   g.add_vertices(author, 3);
///   g.add_vertices(paper, 2);
///   g.add_edges(writes, {0, 1, 2}, {0, 0, 1});      // edge i: from author src[i] to paper dst[i]
///   auto y = layer(g, x = X, params);
class graphs {
 public:
  /// Without sets.
  graphs();

  /// A vertex set of so many vertices. Errors: the name is taken, or the number is negative or beyond 2^31 - 1.
  template <NamedVertexSet Set> graphs& add_vertices(Set, std::int64_t count) {
    return add_vertices(Set::name::view(), count);
  }
  graphs& add_vertices(std::string_view set, std::int64_t count);

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

  /// Vertices of a set, edges of a relation. Errors: no such set or relation.
  template <NamedVertexSet Set> std::int64_t vertices(Set) const { return vertices(Set::name::view()); }
  std::int64_t vertices(std::string_view set) const;
  template <NamedRelation Relation> std::int64_t edges(Relation) const {
    return relation(Relation::name::view()).edges();
  }

  /// The edges of a relation as a graph of sources() and destinations(), for degrees, edge lists and edge values; no
  /// plain program runs over it. Error: no such relation.
  template <NamedRelation Relation> const graph& relation(Relation) const { return relation(Relation::name::view()); }
  const graph& relation(std::string_view name) const;

  /// Puts values given per edge of a relation, (edges, ...), in the order of its edge list, where programs read them.
  template <NamedRelation Relation, TensorElement T>
  stg::edge_values<T> edge_values(Relation of, const tensor<T>& input_order) const {
    return relation(of).edge_values(input_order);
  }

  /// What calls take.
  operator const graph&() const { return carrier_; }

 private:
  graph carrier_;
};

}  // namespace stg
