// Means of an operation's gradient and its expansion: the statement, its operands, and the language.
#pragma once

#include <cstdint>  // int64_t

#include <stg/ir/program.hpp>  // program
#include <stg/pass/value.hpp>  // value

namespace stg::pass {

/// Statement s in terms of the program at hand. Holds a copy: emitting moves a program's statements.
class rule_context {
 public:
  constexpr rule_context(ir::program& into, const ir::statement& of) : p(&into), s(of) {}

  constexpr const ir::statement& statement() const { return s; }
  constexpr value operand(int k) const { return value{p, s.operands[k]}; }

  constexpr value number(double x) const { return constant(*p, s.type, x); }
  constexpr value zero() const { return number(0); }
  constexpr value one() const { return number(1); }
  constexpr value exp(value x) const { return apply(ir::opcode::exp, x); }
  constexpr value log(value x) const { return apply(ir::opcode::log, x); }
  constexpr value rsqrt(value x) const { return apply(ir::opcode::rsqrt, x); }
  constexpr value sin(value x) const { return apply(ir::opcode::sin, x); }
  constexpr value cos(value x) const { return apply(ir::opcode::cos, x); }
  constexpr value sinh(value x) const { return apply(ir::opcode::sinh, x); }
  constexpr value cosh(value x) const { return apply(ir::opcode::cosh, x); }
  constexpr value pow(value x, value y) const { return apply(ir::opcode::pow, x, y); }
  constexpr value max(value a, value b) const { return apply(ir::opcode::max, a, b); }
  constexpr value select(value c, value a, value b) const { return apply(ir::opcode::select, c, a, b); }
  constexpr value training(value a, value b) const { return apply(ir::opcode::training, a, b); }
  constexpr value detach(value x) const { return apply(ir::opcode::detach, x); }
  constexpr value cast(value x, scalar_type to) const { return pass::cast(x, to); }
  constexpr value broadcast_like(value x, value like) const { return pass::broadcast(x, like.where(), like.dims()); }
  constexpr value reshape_like(value x, value like) const {
    return pass::reshape(x, like.dims(), like.statement().over);
  }
  constexpr value reduce_sum(value x, std::int64_t axes) const { return reduce(ir::opcode::reduce_sum, x, axes); }
  constexpr value reduce_max(value x, std::int64_t axes) const { return reduce(ir::opcode::reduce_max, x, axes); }
  /// exp(x - most) · share, along the statement's axes.
  constexpr value softmax_along(value x, value most, value share) const {
    ir::statement made = blank(ir::opcode::softmax_axes, x, most, share);
    made.set_axes(s.axes());
    return make(*p, made);
  }
  constexpr value slice(value x, int axis, ir::extent begin, ir::shape dims) const {
    return pass::slice(x, axis, begin, dims);
  }
  constexpr value pad(value x, int axis, ir::extent begin, ir::shape dims) const {
    return pass::pad(x, axis, begin, dims);
  }
  constexpr value pick(value x, value index) const { return pass::pick(x, index); }
  constexpr value put(value x, value index, ir::extent entries) const { return pass::put(x, index, entries); }
  constexpr value scatter_sum(value x, value index, ir::extent entries) const {
    ir::statement made = blank(ir::opcode::scatter_sum, x, index);
    made.set_beginning(entries);
    return make(*p, made);
  }
  constexpr value transpose(value x, int a, int b) const { return pass::transpose(x, a, b); }
  constexpr value edge_index() const {
    return source(*p, ir::opcode::edge_index, operand(0).where(), scalar_type::i32);
  }
  constexpr value sum_vertices(value x) const { return apply(ir::opcode::sum_vertices, x); }
  constexpr value matmul(value x, value w, bool transposed) const { return pass::matmul(x, w, transposed); }
  constexpr value reduced_matmul(value x, value g) const { return apply(ir::opcode::reduced_matmul, x, g); }
  constexpr value sparse_matmul(value x, value w, value mask) const {
    return apply(ir::opcode::sparse_matmul, x, w, mask);
  }
  constexpr value sparse_reduced_matmul(value x, value g, value mask) const {
    return apply(ir::opcode::sparse_reduced_matmul, x, g, mask);
  }
  constexpr value sum_edges(value x, ir::direction side) const { return aggregate(ir::opcode::sum_edges, x, side); }

  // Of an aggregate: over its edges.
  constexpr value sum_owned(value x) const { return sum_edges(x, s.side()); }
  constexpr value prod_owned(value x) const { return aggregate(ir::opcode::prod_edges, x, s.side()); }
  constexpr value max_owned(value x) const { return aggregate(ir::opcode::max_edges, x, s.side()); }
  constexpr value first_max_owned(value x) const { return aggregate(ir::opcode::first_max_edge, x, s.side()); }
  /// A vertex value at each of these edges.
  constexpr value gather_owner(value x) const { return gather(ir::owner_gather(s.side()), x, operand(0).where().set); }
  /// exp(x - most) · share of an edge value, with two of its owner.
  constexpr value softmax_owned(value x, value most, value share) const {
    ir::statement made = blank(ir::opcode::softmax_edges, x, gather_owner(most), gather_owner(share));
    made.set_side(s.side());
    return make(*p, made);
  }
  /// A sum over them divided by how many there are; 0 over none. As the language's `mean` writes it.
  constexpr value mean_of(value sum) const {
    const value degree = pass::degree(*p, operand(0).where().set, s.side(), s.type);
    return sum / apply(ir::opcode::max, degree, one());
  }
  /// A cotangent of an edge value made by the statement, as one per edge.
  constexpr value on_edges(value x) const { return pass::broadcast(x, s.where, x.dims()); }

 private:
  ir::program* p;
  ir::statement s;
};

}  // namespace stg::pass
