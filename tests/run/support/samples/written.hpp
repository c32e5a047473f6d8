// Samples of statements that only gradients and passes write: the language has no words for these.
#pragma once

#include "../own_operations.hpp"  // bump, hypotenuse, between
#include "symbols.hpp"            // x, y, …

#include <stg/dsl/build.hpp>    // statement_of, emit
#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/op/list.hpp>      // all operations

#include <cstdint>  // int64_t

namespace stg::samples {

/// A statement with an axis and an attribute.
template <class S, class Sh, scalar_type T>
constexpr auto written(tracer* t, ir::opcode code, std::int64_t attribute, int axis, ir::value_id first,
                       ir::value_id second = ir::no_value) {
  ir::statement of = stg::detail::statement_of<S, Sh, T>(*t, code, first, second);
  of.attribute_ = attribute;
  of.axis_ = axis;
  return stg::detail::emit_with<S, Sh, T>(t, of);
}
inline constexpr auto padded = [](auto v) {
  auto e = v.in_edges();
  auto vertex = written<space::vertex, stg::shape<4, 3>, f64>(v.trace, ir::opcode::pad, 1, 0, v(h).id);
  auto edge = written<space::in_edge, stg::shape<5>, f64>(v.trace, ir::opcode::pad, 2, 0, e(u).id);
  return outputs(vertex * v(x), sum(edge * edge));
};
inline constexpr auto placed = [](auto v) {
  auto entries = written<space::vertex, stg::shape<5, 3>, f64>(v.trace, ir::opcode::put, 5, 0, v(x).id, v(label).id);
  return entries * v(y);
};
inline constexpr auto scattered = [](auto v) {
  auto e = v.in_edges();
  auto table =
      written<space::graph, stg::shape<5, 3>, f64>(v.trace, ir::opcode::scatter_sum, 5, 0, v(x).id, v(label).id);
  auto by_edge =
      written<space::graph, stg::shape<4, 3>, f64>(v.trace, ir::opcode::scatter_sum, 4, 0, e(u).id, e.src(label).id);
  return outputs(sum(table, axis<0>) * v(y), by_edge, table);
};
inline constexpr auto repeated = [](auto v) {
  auto graph = written<space::vertex, stg::shape<2, 3>, f64>(v.trace, ir::opcode::broadcast_to, 0, 0, v(a).id);
  auto vertex = written<space::vertex, stg::shape<2, 3>, f64>(v.trace, ir::opcode::broadcast_to, 0, 0, v(x).id);
  return outputs(graph * v(h), vertex * vertex, graph);
};
inline constexpr auto transposed_products = [](auto v) {
  auto weights =
      written<space::graph, stg::shape<3, 3>, f64>(v.trace, ir::opcode::reduced_matmul, 0, 0, v(x).id, v(y).id);
  auto heads =
      written<space::graph, stg::shape<3, 3>, f64>(v.trace, ir::opcode::reduced_matmul, 0, 0, v(h).id, v(h).id);
  auto back = written<space::vertex, stg::shape<2>, f64>(v.trace, ir::opcode::matmul, 1, 0, v(x).id, v(V).id);
  return outputs(matmul(v(x), weights), heads * weights, back);
};
inline constexpr auto transposed_sparse_products = [](auto v) {
  auto dropped = dropout(v(sx), 0.5);
  auto all = stg::detail::constant<f64>(v.trace, 1);
  auto code = ir::opcode::sparse_reduced_matmul;
  auto weights =
      stg::detail::emit<space::graph, stg::shape<3, 3>, f64>(v.trace, code, dropped.id, v(y).id, dropped.mask);
  auto other = stg::detail::emit<space::graph, stg::shape<3, 3>, f64>(v.trace, code, v(sx).id, v(x).id, all.id);
  return outputs(weights * other, matmul(v(x), other));
};
inline constexpr auto indices = [](auto v) {
  auto e = v.in_edges();
  auto vertex = stg::detail::emit<space::vertex, stg::shape<>, i32>(v.trace, ir::opcode::vertex_index);
  auto edge = stg::detail::emit<space::in_edge, stg::shape<>, i32>(v.trace, ir::opcode::edge_index);
  auto first = written<space::vertex, stg::shape<3>, i32>(v.trace, ir::opcode::first_max_edge, 0, 0, e.src(x).id);
  auto loop = select(e.src(vertex) == v(vertex), e.src(x), 0.0);
  auto largest = select(edge == first, e.src(x), 0.0);
  return outputs(sum(largest) * cast<f64>(vertex), sum(loop), first, vertex);
};

/// Tables that all rows pick from.
inline constexpr auto embedded = [](auto v) {
  auto e = v.in_edges();
  return outputs(E[v(label)] * v(x), sum(E[e.src(label)] * e(u)));
};
/// A user's operations, which have no gradient: of what comes from labels.
inline constexpr auto own_operations = [](auto v) {
  auto e = v.in_edges();
  auto from_label = stg::apply<test::bump>(cast<f64>(v(label)));
  auto from_relation = stg::apply<test::hypotenuse>(cast<f64>(e(relation)), e.src(from_label));
  auto edge = stg::apply<test::bump>(from_relation);
  auto mixed = stg::apply<test::between>(edge, from_relation, e.dst(from_label));
  auto vertex = stg::apply<test::hypotenuse>(from_label, 2);
  auto whole = stg::apply<test::bump>(sum(from_label, all_vertices));
  auto both = stg::apply<test::hypotenuse>(whole, 0.5);
  auto graph = stg::apply<test::between>(-1, both, whole);
  auto middle = stg::apply<test::between>(from_label, vertex, whole);
  return outputs(middle * v(y) + sum(mixed * e.dst(v(x))), graph * v(a) * v(x));
};

}  // namespace stg::samples
