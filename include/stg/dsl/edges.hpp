// The edges of a vertex, and how a message reads their values and their ends' values.
#pragma once

#include <type_traits>  // is_same_v, conditional_t

#include <stg/base/instead.hpp>  // STG_INSTEAD_IN
#include <stg/dsl/build.hpp>     // emit, read_symbol
#include <stg/dsl/kinds.hpp>     // is_relation

namespace stg {

namespace detail {
/// A feature of another vertex set or relation than `Space`, or of any, for a `Space` of none.
template <class X, class Space> constexpr bool is_of_another_kind() {
  using kind = typename space_traits<typename operand_traits<X>::where>::kind;
  return !std::is_same_v<kind, typename space_traits<Space>::kind>;
}
}  // namespace detail

/// The edge of a loop, which does not exist.
struct looped_over {
  template <class X> constexpr mistake src(X) const { return {}; }
  template <class X> constexpr mistake dst(X) const { return {}; }
  template <class X> constexpr mistake operator()(X) const { return {}; }
};

/// The edges that a vertex owns. Through it a message reads its source, its destination and its own features.
template <class Side> struct STG_NODISCARD(STG_IS_NOT_USED) edge_view {
  tracer* trace;

  /// The source vertex's value: a vertex feature or any computed vertex value. Shape as x's.
  template <class X> constexpr auto src(X x, int line = __builtin_LINE()) const {
    trace->line = line;
    return gather<ir::opcode::gather_src>(x);
  }
  /// The destination vertex's value.
  template <class X> constexpr auto dst(X x, int line = __builtin_LINE()) const {
    trace->line = line;
    return gather<ir::opcode::gather_dst>(x);
  }

  /// The edge's own feature.
  template <class X> constexpr auto operator()(X x, int line = __builtin_LINE()) const {
    trace->line = line;
    if constexpr (Symbol<X>) {
      constexpr bool on_edges = detail::is_edge<typename X::where>;
      constexpr bool of_relation = !on_edges || !detail::is_of_another_kind<X, Side>();
      static_assert(STG_NAMES(on_edges, X)(on_edges),
                    "stg: e(x) takes an edge feature; read a vertex feature with e.src(x) or e.dst(x)");
      static_assert(STG_NAMES(of_relation, X)(of_relation),
                    "stg: e(x) takes a feature of its own relation; declare it as relation.feature<\"x\">");
      if constexpr (!on_edges || !of_relation) return spoil();
      else return detail::read_symbol<Side>(trace, x);
    } else {
      using where = typename detail::operand_traits<X>::where;
      constexpr bool is_value = Expression<X> || detail::is_steps<X>;
      constexpr bool on_edges = is_mistake<X> || (is_value && detail::is_edge<where>);
      static_assert(on_edges, "stg: e(x) takes an edge value; read a vertex value with e.src(x) or e.dst(x)");
      constexpr bool of_relation = !on_edges || !is_value || !detail::is_of_another_kind<X, Side>();
      static_assert(of_relation, "stg: e(x) takes a value of its own relation; aggregate the other one first: sum(x)");
      constexpr bool of_side = !on_edges || !is_value || !of_relation || std::is_same_v<where, Side>;
      static_assert(of_side,
                    "stg: e(x) takes a value of its own direction; aggregate the other direction first: sum(x)");
      if constexpr (on_edges && of_relation && is_value && std::is_same_v<where, Side>) {
        const auto value = detail::value_in(trace, x);
        return expr<Side, typename detail::operand_traits<X>::dims, detail::operand_traits<X>::type>{value.trace,
                                                                                                     value.id};
      } else {
        return spoil();
      }
    }
  }

  // Other libraries' calls on edges: what to write.
  STG_INSTEAD_IN(sizeof(Side) == 0, "stg: edges are counted at their vertex: v.in_degree(), v.out_degree()",
                 constexpr mistake in_degree(...) const)
  STG_INSTEAD_IN(sizeof(Side) == 0, "stg: edges are counted at their vertex: v.in_degree(), v.out_degree()",
                 constexpr mistake out_degree(...) const)
  STG_INSTEAD_IN(sizeof(Side) == 0, "stg: edges are counted at their vertex: v.in_degree(), v.out_degree()",
                 constexpr mistake size(...) const)
  STG_INSTEAD_IN(sizeof(Side) == 0, "stg: edges are aggregated by what they read: sum(e.src(x))",
                 constexpr mistake sum(...) const)
  STG_INSTEAD_IN(sizeof(Side) == 0, "stg: edges are aggregated by what they read: mean(e.src(x))",
                 constexpr mistake mean(...) const)
  STG_INSTEAD_IN(sizeof(Side) == 0, "stg: edges are aggregated by what they read: max(e.src(x))",
                 constexpr mistake max(...) const)

  /// `for (auto e : v.in_edges())` ends here. auto: looked into before the loop's body is.
  constexpr auto begin() const {
    constexpr bool is_looped = !std::is_same_v<Side, Side>;
    static_assert(is_looped,
                  "stg: edges are not looped over; aggregate what they read: sum(e.src(x)), mean, max, softmax");
    return static_cast<const looped_over*>(nullptr);
  }
  constexpr auto end() const { return static_cast<const looped_over*>(nullptr); }

 private:
  template <ir::opcode Code, class X> constexpr auto gather(X x) const {
    using where = typename detail::operand_traits<X>::where;
    using end = std::conditional_t<Code == ir::opcode::gather_src, typename detail::space_traits<Side>::source,
                                   typename detail::space_traits<Side>::destination>;
    constexpr bool on_vertices = detail::is_vertex<where>;
    constexpr bool of_end = !on_vertices || std::is_same_v<where, end>;
    constexpr bool on_graph = !is_mistake<X> && std::is_same_v<where, space::graph>;
    constexpr bool is_no_parameter = !on_graph || !Symbol<X>, is_no_graph_value = !on_graph || Symbol<X>;
    constexpr bool of_vertices = !detail::is_edge<where>;
    static_assert(of_vertices, "stg: e.src and e.dst take a vertex value; an edge value is read as e(x)");
    static_assert(is_no_parameter,
                  "stg: e.src and e.dst take a vertex value; a parameter is the same everywhere: v(W)");
    static_assert(is_no_graph_value,
                  "stg: e.src and e.dst take a vertex value, not one of the graph; a state begins as zeros<16>(v)");
    constexpr bool is_dense = !std::is_same_v<where, space::sparse>;
    static_assert(is_dense, "stg: e.src and e.dst take no sparse feature; multiply it first: e.src(matmul(v(x), W))");
    static_assert(of_end,
                  "stg: e.src takes a value of the set that the relation starts in, e.dst of the set that it ends in");
    if constexpr (is_mistake<X>) {
      return mistake();
    } else if constexpr (!on_vertices || !of_end) {
      return spoil();
    } else {
      auto value = detail::value_in(trace, x);
      using from = detail::signature<decltype(value)>;
      return detail::emit<Side, typename from::dims, from::type>(trace, Code, value.id);
    }
  }
  constexpr mistake spoil() const {
    trace->note(ir::mistake::is_said);
    return {};
  }
};

namespace detail {
template <class X> inline constexpr bool is_edge_view = false;
template <class Side> inline constexpr bool is_edge_view<edge_view<Side>> = true;
}  // namespace detail

#define STG_IS_OF_A_SET "stg: the edges of a relation are those of a vertex set: g(paper).in_edges(writes)"
#define STG_LACKS_BRACKETS "stg: v.in_edges and v.out_edges are called: auto e = v.in_edges();"
#if STG_SAYS_AT_CALLS
#define STG_SAYS_BRACKETS(X)                                                    \
  __attribute__((diagnose_if(detail::is_relation<X>, STG_IS_OF_A_SET, "error"), \
                 diagnose_if(!detail::is_relation<X>, STG_LACKS_BRACKETS, "error")))
#define STG_CHECK_BRACKETS(X)
#else
#define STG_SAYS_BRACKETS(X)
#define STG_CHECK_BRACKETS(X)                              \
  static_assert(!detail::is_relation<X>, STG_IS_OF_A_SET); \
  static_assert(detail::is_relation<X>, STG_LACKS_BRACKETS)
#endif

/// The edges of one side, uncalled: `v.in_edges()` gives them. Without its brackets it is a mistake.
template <class Side> struct edges_of {
  tracer* trace;

  constexpr edge_view<Side> operator()() const { return edge_view<Side>{trace}; }

  template <class X> STG_SAYS_BRACKETS(X) constexpr auto operator()(X) const { return without_brackets<X>(); }
  template <class X> STG_SAYS_BRACKETS(X) constexpr auto src(X) const { return without_brackets<X>(); }
  template <class X> STG_SAYS_BRACKETS(X) constexpr auto dst(X) const { return without_brackets<X>(); }
  constexpr auto begin() const { return (*this)().begin(); }  // a loop is the mistake then, with brackets or without
  constexpr auto end() const { return (*this)().end(); }

 private:
  template <class X> static constexpr auto without_brackets() {
    STG_CHECK_BRACKETS(X);
    if constexpr (detail::is_relation<X>) return looped_over();
    else return mistake();
  }
};

}  // namespace stg
