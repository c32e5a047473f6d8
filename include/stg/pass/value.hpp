// A value of the program that a pass is writing, with the operators of the language: gradient rules are written with
// it.
#pragma once

#include <cstdint>  // int64_t

#include <stg/ir/program.hpp>  // program, statement
#include <stg/op/list.hpp>     // info_of

namespace stg::pass {

/// Completes a statement by its operation's rule and emits it.
constexpr ir::value_id emit(ir::program& p, ir::statement s) {
  op::info_of(s.code).infer(p, s);
  return p.emit(s);
}

/// A value of an unfinished program. Its shape is a copy: emitting moves statements, and a reference would dangle.
struct value {
  ir::program* program = nullptr;
  ir::value_id id = ir::no_value;

  constexpr const ir::statement& statement() const { return (*program)[id]; }
  constexpr ir::opcode code() const { return statement().code; }
  constexpr ir::shape dims() const { return statement().dims; }
  constexpr scalar_type type() const { return statement().type; }
  constexpr ir::domain where() const { return statement().where; }
  constexpr bool exists() const { return id != ir::no_value; }
};

constexpr value make(ir::program& p, const ir::statement& s) { return value{&p, emit(p, s)}; }

constexpr ir::statement blank(ir::opcode code, value a, value b = value(), value c = value()) {
  ir::statement s;
  s.code = code;
  s.operands[0] = a.id;
  s.operands[1] = b.id;
  s.operands[2] = c.id;
  return s;
}
constexpr value apply(ir::opcode code, value a, value b = value(), value c = value()) {
  return make(*a.program, blank(code, a, b, c));
}

constexpr value operator+(value a, value b) { return apply(ir::opcode::add, a, b); }
constexpr value operator-(value a, value b) { return apply(ir::opcode::sub, a, b); }
constexpr value operator*(value a, value b) { return apply(ir::opcode::mul, a, b); }
constexpr value operator/(value a, value b) { return apply(ir::opcode::div, a, b); }
constexpr value operator-(value a) { return apply(ir::opcode::negate, a); }
constexpr value operator<(value a, value b) { return apply(ir::opcode::less, a, b); }
constexpr value operator==(value a, value b) { return apply(ir::opcode::equal, a, b); }

constexpr value constant(ir::program& p, scalar_type type, double number) {
  ir::statement s;
  s.code = ir::opcode::constant;
  s.type = type;
  s.set_value(number);
  return make(p, s);
}
constexpr value source(ir::program& p, ir::opcode code, ir::domain where, scalar_type type) {
  ir::statement s;
  s.code = code;
  s.where = where;
  s.type = type;
  return make(p, s);
}
constexpr value extent_value(ir::program& p, scalar_type type, ir::extent e) {
  ir::statement s;
  s.code = ir::opcode::extent_value;
  s.type = type;
  s.set_counted(e);
  return make(p, s);
}
constexpr value cast(value x, scalar_type to) {
  ir::statement s = blank(ir::opcode::cast, x);
  s.type = to;
  return x.type() == to ? x : make(*x.program, s);
}
constexpr value reshape(value x, ir::shape dims, ir::extent over = ir::extent(0)) {
  ir::statement s = blank(ir::opcode::reshape, x);
  s.dims = dims;
  s.over = over;
  return x.dims() == dims && x.statement().over == over ? x : make(*x.program, s);
}
/// Repeats x over the axes and the space of a value that it broadcasts to.
constexpr value broadcast(value x, ir::domain where, ir::shape dims) {
  ir::statement s = blank(ir::opcode::broadcast_to, x);
  s.where = where;
  s.dims = dims;
  return x.where() == where && x.dims() == dims ? x : make(*x.program, s);
}
constexpr value reduce(ir::opcode code, value x, std::int64_t axes) {
  ir::statement s = blank(code, x);
  s.set_axes(axes);
  return axes == 0 ? x : make(*x.program, s);
}
constexpr value aggregate(ir::opcode code, value message, ir::direction side) {
  ir::statement s = blank(code, message);
  s.set_side(side);
  return make(*message.program, s);
}

namespace detail {
constexpr value part(ir::opcode code, value x, int axis, ir::extent begin, ir::shape dims) {
  ir::statement s = blank(code, x);
  s.set_part_axis(axis);
  s.set_beginning(begin);
  s.dims = dims;
  return make(*x.program, s);
}
}  // namespace detail
/// The part of an axis that begins at an extent, with the shape of the result.
constexpr value slice(value x, int axis, ir::extent begin, ir::shape dims) {
  return detail::part(ir::opcode::slice, x, axis, begin, dims);
}
/// Zeros around x, which begins at an extent of an axis, with the shape of the result.
constexpr value pad(value x, int axis, ir::extent begin, ir::shape dims) {
  return detail::part(ir::opcode::pad, x, axis, begin, dims);
}
/// b behind a along an axis, with the shape of the result.
constexpr value concat(value a, value b, int axis, ir::shape dims) {
  ir::statement s = blank(ir::opcode::concat, a, b);
  s.set_part_axis(axis);
  s.dims = dims;
  return make(*a.program, s);
}
/// The entry of x's first axis that an index names; and zeros with x as that entry of a further first axis.
constexpr value pick(value x, value index) { return apply(ir::opcode::pick, x, index); }
constexpr value put(value x, value index, ir::extent entries) {
  ir::statement s = blank(ir::opcode::put, x, index);
  s.set_beginning(entries);
  return make(*x.program, s);
}
/// Axes a and b change places.
constexpr ir::statement transposed(value x, int a, int b) {
  ir::statement s = blank(ir::opcode::transpose, x);
  s.set_swapped(a, b);
  return s;
}
constexpr value transpose(value x, int a, int b) { return make(*x.program, transposed(x, a, b)); }

constexpr value matmul(value x, value w, bool transposed) {
  ir::statement s = blank(ir::opcode::matmul, x, w);
  s.set_transposed(transposed);
  return make(*x.program, s);
}

/// A vertex value at each edge of a relation; it belongs to one end.
constexpr value gather(ir::opcode end, value x, int relation) {
  ir::statement s = blank(end, x);
  s.where.set = relation;
  return make(*x.program, s);
}
/// The number of edges of a relation that a vertex owns on a side.
constexpr value degree(ir::program& p, int relation, ir::direction side, scalar_type type) {
  ir::statement s;
  s.code = ir::opcode::degree;
  s.where = ir::domain(ir::space::vertex, p.owner_set(relation, side));
  s.type = type;
  s.set_side(side);
  s.set_relation(relation);
  return make(p, s);
}

/// A vertex value where the vertex owns edges of a relation on a side, 0 elsewhere. put(statement): adds one, as the
/// pass does.
template <class Put> constexpr value where_there_are_edges(value x, int relation, ir::direction side, Put put) {
  const value degree = pass::degree(*x.program, relation, side, x.type());
  const value zero = constant(*x.program, x.type(), 0);
  return put(blank(ir::opcode::select, put(blank(ir::opcode::less, zero, degree)), x, zero));
}

/// Sums a value down to a space and shape that broadcast to its own, to fit a gradient to its value.
constexpr value sum_to(value x, ir::domain where, ir::shape dims) {
  std::int64_t axes = 0;
  const int more = x.dims().rank - dims.rank;
  for (int i = 0; i < x.dims().rank; ++i) {
    const bool stretched = i < more || (dims.axes[i - more].is_one() && !x.dims().axes[i].is_one());
    if (stretched) axes |= std::int64_t(1) << i;
  }
  x = reduce(ir::opcode::reduce_sum, x, axes);
  if (more > 0) x = reshape(x, dims);
  if (where == ir::space::graph && x.where() == ir::space::edge)
    x = aggregate(ir::opcode::sum_edges, x, ir::direction::in);
  if (where == ir::space::graph && x.where() == ir::space::vertex) x = apply(ir::opcode::sum_vertices, x);
  return x;
}

}  // namespace stg::pass
