// What a lambda is given: the vertex, its edges, and how they read values.
#pragma once

#include <type_traits>  // is_same_v

#include <stg/dsl/build.hpp>  // emit, read_symbol

namespace stg {

/// The edge of a loop, which there is not.
struct looped_over {
  template <class X> constexpr mistake src(X) const { return {}; }
  template <class X> constexpr mistake dst(X) const { return {}; }
  template <class X> constexpr mistake operator()(X) const { return {}; }
};

/// The edges that a vertex owns. Through it a message reads its source, its destination and its own features.
template <class Side> struct edge_view {
  tracer* trace;

  /// The source vertex's value: a vertex feature or any computed vertex value. Shape as x's.
  template <class X> constexpr auto src(X x) const { return gather<ir::opcode::gather_src>(x); }
  /// The destination vertex's value.
  template <class X> constexpr auto dst(X x) const { return gather<ir::opcode::gather_dst>(x); }

  /// The edge's own feature.
  template <class X> constexpr auto operator()(X x) const {
    if constexpr (Symbol<X>) {
      constexpr bool on_edges = detail::is_edge<typename X::where>;
      static_assert(on_edges, "stg: e(x) takes an edge feature; read a vertex feature with e.src(x) or e.dst(x)");
      if constexpr (std::is_same_v<typename X::where, space::sparse>) return mistake();
      else return detail::read_symbol<Side>(trace, x);
    } else {
      using where = typename detail::operand_traits<X>::where;
      constexpr bool is_value = Expression<X> || detail::is_steps<X>;
      constexpr bool on_edges = is_mistake<X> || (is_value && detail::is_edge<where>);
      static_assert(on_edges, "stg: e(x) takes an edge value; read a vertex value with e.src(x) or e.dst(x)");
      static_assert(!on_edges || !is_value || std::is_same_v<where, Side>,
                    "stg: e(x) takes a value of its own direction; aggregate the other direction first: sum(x)");
      if constexpr (on_edges && is_value) {
        const auto value = detail::value_in(trace, x);
        return expr<Side, typename detail::operand_traits<X>::dims, detail::operand_traits<X>::type>{value.trace,
                                                                                                     value.id};
      } else {
        return x;
      }
    }
  }

  /// `for (auto e : v.in_edges())` ends here. auto: looked into before the loop's body is.
  constexpr auto begin() const {
    static_assert(!std::is_same_v<Side, Side>,
                  "stg: edges are not looped over; aggregate what they read: sum(e.src(x)), mean, max, softmax");
    return static_cast<const looped_over*>(nullptr);
  }
  constexpr auto end() const { return static_cast<const looped_over*>(nullptr); }

 private:
  template <ir::opcode Code, class X> constexpr auto gather(X x) const {
    using where = typename detail::operand_traits<X>::where;
    constexpr bool on_vertices = std::is_same_v<where, space::vertex>;
    constexpr bool on_graph = !is_mistake<X> && std::is_same_v<where, space::graph>;
    static_assert(!detail::is_edge<where>, "stg: e.src and e.dst take a vertex value; an edge value is read as e(x)");
    static_assert(!on_graph, "stg: e.src and e.dst take a vertex value; a parameter is the same everywhere: v(W)");
    static_assert(!std::is_same_v<where, space::sparse>,
                  "stg: e.src and e.dst take no sparse feature; multiply it first: e.src(matmul(v(x), W))");
    if constexpr (std::is_same_v<where, space::sparse>) {
      return mistake();
    } else if constexpr (on_vertices) {
      auto value = detail::value_in(trace, x);
      using from = detail::signature<decltype(value)>;
      return detail::emit<Side, typename from::dims, from::type>(trace, Code, value.id);
    } else if constexpr (Symbol<X>) {
      return detail::read_symbol<Side>(trace, x);
    } else {
      return x;
    }
  }
};

/// What stands for the edges of one side: `v.in_edges()` are they. Without its brackets it is a mistake.
template <class Side> struct edges_of {
  tracer* trace;

  constexpr edge_view<Side> operator()() const { return edge_view<Side>{trace}; }

  template <class X> constexpr auto operator()(X) const { return without_brackets<X>(); }
  template <class X> constexpr auto src(X) const { return without_brackets<X>(); }
  template <class X> constexpr auto dst(X) const { return without_brackets<X>(); }

 private:
  template <class X> static constexpr auto without_brackets() {
    static_assert(sizeof(X) == 0, "stg: v.in_edges and v.out_edges are called: auto e = v.in_edges();");
    return mistake();
  }
};

/// The vertex that a program is written for.
struct vertex_view {
  tracer* trace;
  /// v.in_edges(): the edges that end here. e.src(x) is the neighbour's value, e.dst(x) and v(x) this vertex's.
  edges_of<space::in_edge> in_edges;
  /// v.out_edges(): the edges that start here.
  edges_of<space::out_edge> out_edges;

  /// Not left to initialisers of members, which nvcc 13 looks at when a temporary view is gone.
  constexpr explicit vertex_view(tracer* by) : trace(by), in_edges{by}, out_edges{by} {}

  /// The vertex's own value of a feature, or a parameter or scalar of the graph. A computed vertex value is itself.
  template <class X> constexpr auto operator()(X x) const {
    if constexpr (Symbol<X>) {
      static_assert(!detail::is_edge<typename X::where>,
                    "stg: v(x) takes a vertex feature; an edge feature is read as e(x)");
      return detail::read_symbol<typename X::where>(trace, x);
    } else {
      constexpr bool on_edges = detail::is_edge<typename detail::operand_traits<X>::where>;
      static_assert(!on_edges, "stg: v(x) takes a vertex value; aggregate the edge value first: sum(x)");
      static_assert(on_edges || Expression<X> || detail::is_steps<X> || detail::is_loose<X> || detail::is_sparse<X> ||
                        is_mistake<X>,
                    "stg: v(x) takes a vertex feature, a parameter or a computed vertex value");
      return detail::value_in(trace, x);
    }
  }

  /// Number of edges that end here, as a real number of the type that it meets: v(x) / v.in_degree().
  template <scalar_type T = scalar_type::real> constexpr auto in_degree() const { return degree<T>(ir::direction::in); }
  template <scalar_type T = scalar_type::real> constexpr auto out_degree() const {
    return degree<T>(ir::direction::out);
  }

  /// Number of vertices of the graph, as a real number of the type that it meets: one value for the graph.
  template <scalar_type T = scalar_type::real> constexpr auto vertex_count() const {
    return detail::emit<space::graph, shape<>, T>(trace, ir::opcode::vertex_count);
  }

 private:
  template <scalar_type T> constexpr auto degree(ir::direction side) const {
    ir::statement s = detail::statement_of<space::vertex, shape<>, T>(*trace, ir::opcode::degree);
    s.attribute = static_cast<int>(side);
    return detail::emit_with<space::vertex, shape<>, T>(trace, s);
  }
};

}  // namespace stg
