// Over all vertices: sums, means and maxima that give one value for the whole graph; over all edges sums and means.
#pragma once

#include <stg/dsl/build.hpp>      // emit, constant
#include <stg/dsl/vertex.hpp>     // over_batch, count_of
#include <stg/op/aggregate.hpp>   // sum
#include <stg/op/arithmetic.hpp>  // operator/, max
#include <stg/op/operation.hpp>   // operation

namespace stg::op {

template <ir::opcode Code> struct vertex_reduction : operation<Code, category::reduction, 1> {
  static constexpr void infer(const ir::program& p, ir::statement& s) {
    const ir::statement& x = p.operand(s, 0);
    if (x.where != ir::space::vertex) throw rule_is_broken{rule::spaces_agree};
    s.where = ir::space::graph;
    s.type = computed_in(x.type);  // rows of bf16 or f16 are read as f32
    s.dims = x.dims;
  }
};

struct sum_vertices : vertex_reduction<ir::opcode::sum_vertices> {
  static constexpr op::domain domain{op::operands::numbers};
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cast(d.broadcast_like(d.cotangent(), d.operand(0)), d.operand(0).type()));
  }
};

/// 0 over no vertices. Ties share the gradient equally.
struct max_vertices : vertex_reduction<ir::opcode::max_vertices> {
  static constexpr bool compares = true;
  static constexpr op::domain domain{op::operands::numbers, kink::ties};
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto largest = d.cast(d.operand(0) == d.result(), d.result().type());
    d.add(0, largest * (d.cotangent() / d.sum_vertices(largest)));
  }
};

}  // namespace stg::op

namespace stg {

struct all_vertices_t {};
/// Asks for a reduction over the whole graph: mean(x, all_vertices).
inline constexpr all_vertices_t all_vertices = all_vertices_t();

struct all_edges_t {};
/// The same of edge values: mean(e(w), all_edges).
inline constexpr all_edges_t all_edges = all_edges_t();

namespace detail {
template <class Over> inline constexpr int batch_of = std::is_same_v<Over, over_batch_t> ? ir::over_batch : 0;
template <class Over>
concept OverVertices = std::is_same_v<Over, all_vertices_t> || std::is_same_v<Over, over_batch_t>;

/// A reduction over all vertices, or over those of the batch.
template <ir::opcode Code, class Over, class S, class Sh, scalar_type T>
constexpr auto reduce_vertices(expr<S, Sh, T> x) {
  ir::statement s = statement_of<space::graph, Sh, T>(*x.trace, Code);
  s.operands[0] = x.id;
  s.set_over_batch(batch_of<Over> == ir::over_batch);
  return emit_with<space::graph, Sh, T>(x.trace, s);
}
}  // namespace detail

/// Sum over all vertices: one value for the graph, of the same feature shape. The order of summation is fixed.
template <class S, class Sh, scalar_type T, detail::OverVertices Over> constexpr auto sum(expr<S, Sh, T> x, Over) {
  constexpr bool on_vertices = detail::is_vertex<S>;
  static_assert(on_vertices, "stg: sum(x, all_vertices) takes a vertex value; aggregate edges first: sum(x)");
  static_assert(is_number(T), "stg: sum takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_vertex<S> && is_number(T)) return detail::reduce_vertices<ir::opcode::sum_vertices, Over>(x);
  else return detail::constant<T>(x.trace, 0);
}
/// Mean over all vertices; 0 over none.
template <class S, class Sh, scalar_type T, detail::OverVertices Over>
constexpr auto mean(expr<S, Sh, T> x, Over over) {
  constexpr bool on_vertices = detail::is_vertex<S>;
  static_assert(on_vertices, "stg: mean(x, all_vertices) takes a vertex value; aggregate edges first: mean(x)");
  static_assert(is_real(T), "stg: mean takes a real value; write cast<f32>(x)");
  if constexpr (detail::is_vertex<S> && is_real(T))
    return sum(x, over) / max(detail::count_of<S, T>(x.trace, detail::batch_of<Over>), 1.0);
  else return detail::constant<T>(x.trace, 0);
}
/// Maximum over all vertices; ties share the gradient.
template <class S, class Sh, scalar_type T, detail::OverVertices Over> constexpr auto max(expr<S, Sh, T> x, Over) {
  constexpr bool on_vertices = detail::is_vertex<S>;
  static_assert(on_vertices, "stg: max(x, all_vertices) takes a vertex value; aggregate edges first: max(x)");
  static_assert(is_number(T), "stg: max takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_vertex<S> && is_number(T)) return detail::reduce_vertices<ir::opcode::max_vertices, Over>(x);
  else return detail::constant<T>(x.trace, 0);
}
/// Minimum over all vertices; ties share the gradient.
template <class S, class Sh, scalar_type T, detail::OverVertices Over> constexpr auto min(expr<S, Sh, T> x, Over over) {
  constexpr bool on_vertices = detail::is_vertex<S>;
  static_assert(on_vertices, "stg: min(x, all_vertices) takes a vertex value; aggregate edges first: min(x)");
  static_assert(is_number(T), "stg: min takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_vertex<S> && is_real(T)) return -max(-x, over);
  else if constexpr (detail::is_vertex<S> && is_number(T))
    return detail::least_integer(max(detail::reversed(x), over),
                                 detail::count_of<S, T>(x.trace, detail::batch_of<Over>));
  else return detail::constant<T>(x.trace, 0);
}

/// Sum over all edges: one value for the graph, of the same feature shape. The order of summation is fixed.
template <class S, class Sh, scalar_type T> constexpr auto sum(expr<S, Sh, T> x, all_edges_t) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: sum(x, all_edges) takes an edge value; of vertices write sum(x, all_vertices)");
  static_assert(is_number(T), "stg: sum takes numbers; write cast<f32>(x)");
  if constexpr (detail::is_edge<S> && is_number(T)) return sum(sum(x), all_vertices);
  else return detail::constant<T>(x.trace, 0);
}
/// Mean over all edges; 0 over none.
template <class S, class Sh, scalar_type T> constexpr auto mean(expr<S, Sh, T> x, all_edges_t all) {
  constexpr bool on_edges = detail::is_edge<S>;
  static_assert(on_edges, "stg: mean(x, all_edges) takes an edge value; of vertices write mean(x, all_vertices)");
  static_assert(is_real(T), "stg: mean takes a real value; write cast<f32>(x)");
  if constexpr (detail::is_edge<S> && is_real(T))
    return sum(x, all) /
           max(sum(detail::owned_edges<typename detail::space_traits<S>::from_destination, T>(x.trace), all_vertices),
               1.0);
  else return detail::constant<T>(x.trace, 0);
}

}  // namespace stg
