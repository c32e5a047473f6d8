// A lambda's argument: the vertex, its edges (edges.hpp), and how they read values.
#pragma once

#include <type_traits>  // is_same_v

#include <stg/base/instead.hpp>  // STG_INSTEAD
#include <stg/dsl/build.hpp>     // emit, read_symbol
#include <stg/dsl/edges.hpp>     // edge_view, edges_of
#include <stg/dsl/kinds.hpp>     // is_relation, is_vertex_set

namespace stg {

struct over_batch_t {};
/// Asks for a reduction over a batch, mean(x, over_batch): on a graph over all vertices; on blocks (a sample
/// around seeds) over the rows that are computed with the result. For an output these are the seeds, as for losses
/// over the batch. Within a model it is over the rows of the layer, such as the rows of a batch norm; if rows of
/// several hops meet, over the rows of the furthest.
///
///   return mean(square(v(y) - v(target)), over_batch);
///   auto centred = h - mean(h, over_batch);
inline constexpr over_batch_t over_batch = over_batch_t();

namespace detail {
/// Number of edges of a space that a vertex owns.
template <class Edges, scalar_type T> constexpr auto owned_edges(tracer* t) {
  ir::statement s = statement_of<owner_of<Edges>, shape<>, T>(*t, ir::opcode::degree);
  s.set_side(side_of<Edges>);
  s.set_relation(domain_of<Edges>(*t).set);
  return emit_with<owner_of<Edges>, shape<>, T>(t, s);
}
/// Number of vertices of a space, or of its batch: one value for the graph.
template <class Vertices, scalar_type T> constexpr auto count_of(tracer* t, int of_batch = 0) {
  ir::statement s = statement_of<space::graph, shape<>, T>(*t, ir::opcode::vertex_count);
  s.set_counted_set(domain_of<Vertices>(*t).set);
  s.set_over_batch(of_batch == ir::over_batch);
  return emit_with<space::graph, shape<>, T>(t, s);
}

template <class R, class Set> constexpr bool ends_in() {
  if constexpr (is_relation<R>) return std::is_same_v<typename R::destination, Set>;
  else return false;
}
template <class R, class Set> constexpr bool starts_in() {
  if constexpr (is_relation<R>) return std::is_same_v<typename R::source, Set>;
  else return false;
}
template <class R, class Set> inline constexpr bool relation_ends = ends_in<R, Set>();
template <class R, class Set> inline constexpr bool relation_starts = starts_in<R, Set>();
template <class R, class Set>
inline constexpr bool is_of_other_sets =
    is_relation<R> && !relation_ends<R, Set> && !relation_starts<R, Set> && !relation_ends<R, no_set>;
}  // namespace detail

#define STG_IS_NO_RELATION "stg: in_edges and out_edges of a vertex set take a relation: writes"
#define STG_STARTS_HERE "stg: in_edges takes a relation that ends in the set; this one starts there: out_edges"
#define STG_ENDS_HERE "stg: out_edges takes a relation that starts in the set; this one ends there: in_edges"
#define STG_IS_OF_OTHER_SETS "stg: the relation has nothing to do with the vertex set; take one of its own"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_IN_RELATION(R, Set)                                                                            \
  __attribute__((                                                                                               \
      diagnose_if(!detail::is_relation<R>, STG_IS_NO_RELATION, "error"),                                        \
      diagnose_if(detail::relation_starts<R, Set> && !detail::relation_ends<R, Set>, STG_STARTS_HERE, "error"), \
      diagnose_if(detail::is_of_other_sets<R, Set>, STG_IS_OF_OTHER_SETS, "error")))
#define STG_SAYS_OUT_RELATION(R, Set)                                                                         \
  __attribute__((                                                                                             \
      diagnose_if(!detail::is_relation<R>, STG_IS_NO_RELATION, "error"),                                      \
      diagnose_if(detail::relation_ends<R, Set> && !detail::relation_starts<R, Set>, STG_ENDS_HERE, "error"), \
      diagnose_if(detail::is_of_other_sets<R, Set>, STG_IS_OF_OTHER_SETS, "error")))
#else
#define STG_SAYS_IN_RELATION(R, Set)
#define STG_SAYS_OUT_RELATION(R, Set)
#endif

#define STG_READS_A_RELATION \
  "stg: a relation is read from a vertex set at its end: auto e = g(paper).in_edges(writes); then e(x), e.src(y)"
#define STG_NAMES_NO_RELATION "stg: in_edges and out_edges of a vertex set take one relation: g(paper).in_edges(writes)"

/// A vertex of a set, in a program over several kinds of vertices: g(paper).
template <class Set> struct set_view;

/// The vertex that a program is written for; in a program over several kinds, it gives each set's vertex: g(paper).
struct vertex_view {
  tracer* trace;
  /// v.in_edges(): the edges that end here. e.src(x) is the neighbour's value, e.dst(x) and v(x) this vertex's.
  edges_of<space::in_edge> in_edges;
  /// v.out_edges(): the edges that start here.
  edges_of<space::out_edge> out_edges;

  /// Not left to initialisers of members: nvcc 13 looks at them when a temporary view is gone.
  constexpr explicit vertex_view(tracer* by) : trace(by), in_edges{by}, out_edges{by} {}

  /// The vertex's own value of a feature, or a parameter or scalar of the graph. A computed vertex value is itself.
  /// Of a vertex set, a vertex of it.
  template <class X> constexpr auto operator()(X x, int line = __builtin_LINE()) const {
    trace->line = line;
    if constexpr (detail::is_relation<X>) {
      constexpr bool has_an_end = sizeof(X) == 0;
      static_assert(STG_NAMES(has_an_end, X)(has_an_end), STG_READS_A_RELATION);
      return looped_over();
    } else if constexpr (detail::is_vertex_set<X>) {
      return set_view<X>{trace};
    } else if constexpr (Symbol<X>) {
      constexpr bool is_of_edges = detail::is_edge<typename X::where>;
      static_assert(STG_NAMES(!is_of_edges, X)(!is_of_edges),
                    "stg: v(x) takes a vertex feature; an edge feature is read as e(x)");
      constexpr bool is_of_a_set =
          detail::is_vertex<typename X::where> && detail::is_of_another_kind<X, space::vertex>();
      static_assert(STG_NAMES(!is_of_a_set, X)(!is_of_a_set),
                    "stg: a feature of a vertex set is read through its vertex: g(paper)(x)");
      if constexpr (detail::is_edge<typename X::where> || is_of_a_set) return spoil();
      else return detail::read_symbol<typename X::where>(trace, x);
    } else {
      constexpr bool on_edges = detail::is_edge<typename detail::operand_traits<X>::where>;
      constexpr bool is_value = Expression<X> || detail::is_steps<X> || detail::is_loose<X> || detail::is_sparse<X>;
      static_assert(!on_edges, "stg: v(x) takes a vertex value; aggregate the edge value first: sum(x)");
      constexpr bool is_read_here = on_edges || is_value || is_mistake<X>;
      static_assert(is_read_here, "stg: v(x) takes a vertex feature, a parameter or a computed vertex value");
      if constexpr (on_edges || !is_value) return spoil();
      else return detail::value_in(trace, x);
    }
  }

  /// Number of edges that end here, as a real number of the type that it meets: v(x) / v.in_degree().
  template <scalar_type T = scalar_type::real> constexpr auto in_degree() const {
    return detail::owned_edges<space::in_edge, T>(trace);
  }
  template <scalar_type T = scalar_type::real> constexpr auto out_degree() const {
    return detail::owned_edges<space::out_edge, T>(trace);
  }

  // Other libraries' questions to a vertex: what to write.
  STG_INSTEAD("stg: a vertex has two degrees; write v.in_degree() or v.out_degree()",
              constexpr mistake degree(...) const)
  STG_INSTEAD("stg: neighbours are read by edges: auto e = v.in_edges(); then e.src(x)",
              constexpr mistake neighbors(...) const)
  STG_INSTEAD("stg: neighbours are read by edges: auto e = v.in_edges(); then e.src(x)",
              constexpr mistake neighbours(...) const)
  STG_INSTEAD("stg: a vertex has v.in_edges() and v.out_edges()", constexpr looped_over edges(...) const)
  STG_INSTEAD("stg: vertices are counted by v.vertex_count()", constexpr mistake size(...) const)

  /// Number of vertices of the graph, as a real number of the type that it meets: one value for the graph.
  template <scalar_type T = scalar_type::real> constexpr auto vertex_count() const {
    return detail::emit<space::graph, shape<>, T>(trace, ir::opcode::vertex_count);
  }
  /// Number of vertices that a reduction over the batch goes over.
  template <scalar_type T = scalar_type::real> constexpr auto vertex_count(over_batch_t) const {
    return detail::count_of<space::vertex, T>(trace, ir::over_batch);
  }

 private:
  constexpr mistake spoil() const {
    trace->note(ir::mistake::is_said);
    return {};
  }
};

template <class Set> struct set_view {
  tracer* trace;

  /// The vertex's own value of a feature of its set, or a parameter or scalar of the graph. A computed value of the set
  /// is itself.
  template <class X> constexpr auto operator()(X x, int line = __builtin_LINE()) const {
    trace->line = line;
    using where = typename detail::operand_traits<X>::where;
    constexpr bool on_edges = detail::is_edge<where>;
    constexpr bool is_value = Symbol<X> || Expression<X> || detail::is_steps<X> || detail::is_loose<X> || is_mistake<X>;
    constexpr bool of_set = !detail::is_vertex<where> || std::is_same_v<where, space::vertices_of<Set>>;
    static_assert(!on_edges, "stg: v(x) takes a vertex value; an edge value is read as e(x) and aggregated: sum(e(x))");
    static_assert(on_edges || is_value, "stg: v(x) takes a vertex feature, a parameter or a computed vertex value");
    constexpr bool is_plain = std::is_same_v<where, space::vertex>;
    static_assert(STG_NAMES(!is_plain, X)(!is_plain),
                  "stg: a vertex_feature is a plain graph's; declare the set's own: paper.feature<\"x\", 16>");
    static_assert(STG_NAMES(of_set || is_plain, X)(of_set || is_plain),
                  "stg: v(x) takes a value of its own vertex set; read the other's through a relation: e.src(x)");
    if constexpr (on_edges || !is_value || !of_set || is_mistake<X>) return mistake();
    else return detail::value_in(trace, x);
  }

  /// The edges of a relation that end, or start, here. e.src(x) and e.dst(x) take values of the relation's sets.
  template <class Relation> STG_SAYS_IN_RELATION(Relation, Set) constexpr auto in_edges(Relation) const {
    if constexpr (check<Relation, true>()) return edge_view<space::in_edges_of<Relation>>{trace};
    else return edges_of_no_relation();
  }
  template <class Relation> STG_SAYS_OUT_RELATION(Relation, Set) constexpr auto out_edges(Relation) const {
    if constexpr (check<Relation, false>()) return edge_view<space::out_edges_of<Relation>>{trace};
    else return edges_of_no_relation();
  }
  /// Without a relation, or of several: what to write.
  template <class... Relation>
    requires(sizeof...(Relation) != 1)
  constexpr auto in_edges(Relation...) const {
    constexpr bool is_one = sizeof...(Relation) == 1;
    static_assert(is_one, STG_NAMES_NO_RELATION);
    return edges_of_no_relation();
  }
  template <scalar_type T = scalar_type::real> constexpr auto in_degree() const {
    constexpr bool is_one = static_cast<int>(T) < 0;
    static_assert(is_one, STG_NAMES_NO_RELATION);
    return mistake();
  }
  template <scalar_type T = scalar_type::real> constexpr auto out_degree() const {
    constexpr bool is_one = static_cast<int>(T) < 0;
    static_assert(is_one, STG_NAMES_NO_RELATION);
    return mistake();
  }
  template <class... Relation>
    requires(sizeof...(Relation) != 1)
  constexpr auto out_edges(Relation...) const {
    constexpr bool is_one = sizeof...(Relation) == 1;
    static_assert(is_one, STG_NAMES_NO_RELATION);
    return edges_of_no_relation();
  }
  /// Number of these, as a real number of the type that it meets.
  template <scalar_type T = scalar_type::real, class Relation>
  STG_SAYS_IN_RELATION(Relation, Set)
  constexpr auto in_degree(Relation) const {
    if constexpr (check<Relation, true>()) return detail::owned_edges<space::in_edges_of<Relation>, T>(trace);
    else return mistake();
  }
  template <scalar_type T = scalar_type::real, class Relation>
  STG_SAYS_OUT_RELATION(Relation, Set)
  constexpr auto out_degree(Relation) const {
    if constexpr (check<Relation, false>()) return detail::owned_edges<space::out_edges_of<Relation>, T>(trace);
    else return mistake();
  }

  /// Number of vertices of the set, as a real number of the type that it meets: one value for the graph.
  template <scalar_type T = scalar_type::real> constexpr auto vertex_count() const {
    return detail::count_of<space::vertices_of<Set>, T>(trace);
  }
  template <scalar_type T = scalar_type::real> constexpr auto vertex_count(over_batch_t) const {
    return detail::count_of<space::vertices_of<Set>, T>(trace, ir::over_batch);
  }

  /// Scopes are the program's, not the set's.
  constexpr operator vertex_view() const { return vertex_view(trace); }

 private:
  using edges_of_no_relation = looped_over;

  /// Whether the relation ends here, or starts here. Its end is the other one if the mistake is the direction.
  template <class Relation, bool Ends> static constexpr bool check() {
    constexpr bool ends = detail::relation_ends<Relation, Set>, starts = detail::relation_starts<Relation, Set>;
#if !STG_SAYS_AT_CALLS
    constexpr bool turned = Ends ? starts && !ends : ends && !starts;
    constexpr bool is_ours = !detail::is_of_other_sets<Relation, Set>;
    static_assert(detail::is_relation<Relation>, STG_IS_NO_RELATION);
    static_assert(STG_NAMES(!Ends || !turned, Relation)(!Ends || !turned), STG_STARTS_HERE);
    static_assert(STG_NAMES(Ends || !turned, Relation)(Ends || !turned), STG_ENDS_HERE);
    static_assert(STG_NAMES(is_ours, Relation)(is_ours), STG_IS_OF_OTHER_SETS);
#endif
    return Ends ? ends : starts;
  }
};

}  // namespace stg
