// Operands drawn at random: mostly a value that the program has, else one that is written for the purpose.
#pragma once

#include "program_builder.hpp"  // program_builder, choices

namespace stg::test {

class operand_writer {
 public:
  using id = ir::value_id;

  operand_writer(program_builder& to, choices& c) : to(to), c(c) {}

  // ---- signatures ----

  ir::direction side() { return c.one_in(2) ? ir::direction::in : ir::direction::out; }
  ir::opcode gather() { return c.one_in(2) ? ir::opcode::gather_src : ir::opcode::gather_dst; }
  ir::domain space() {
    const int k = c.below(5);
    return k < 3 ? ir::space::vertex : k == 3 ? ir::space::edge : ir::space::graph;
  }
  ir::extent axis() {
    constexpr std::int64_t lengths[] = {2, 3, 2, 3, 4, 1, 8};
    const int k = c.below(9);
    if (k < 7) return ir::extent(lengths[k]);
    return to.program.intern(ir::polynomial(text(k == 7 ? "F" : "G")));
  }
  ir::shape shape_of_rank(int rank) {
    ir::shape dims;
    while (dims.rank < rank) dims.push(axis());
    return dims;
  }
  /// A number to write: every other one of those that identities are about.
  double number() {
    constexpr double telling[] = {0, 1, -1, 2};
    return c.one_in(2) ? telling[c.below(4)] : c.number();
  }
  ir::shape shape() { return shape_of_rank(c.one_in(2) ? 1 : c.one_in(2) ? 0 : 2 + c.below(2)); }

  // ---- real values ----

  /// A new real input.
  id input(ir::domain where, const ir::shape& dims) { return to.input(where, f64, dims, !c.one_in(4), false, c); }

  /// A real value of some space, a new one where there is none.
  id real(ir::domain where) {
    const id x = to.pick(c, [&](const ir::statement& s) { return s.where == where && s.type == f64; });
    return x == ir::no_value || c.one_in(8) ? input(where, shape()) : x;
  }
  /// The same of an edge: a gathered value or one of the edge's own.
  id edge() {
    const id x = to.pick(c, [&](const ir::statement& s) { return s.where == ir::space::edge && s.type == f64; });
    return x == ir::no_value || c.one_in(4) ? to.apply(gather(), real(ir::space::vertex)) : x;
  }
  /// One number for each row of a space, known or new.
  id number_of(ir::domain where) {
    const id known =
        to.pick(c, [&](const ir::statement& s) { return s.where == where && s.type == f64 && s.dims.rank == 0; });
    return known == ir::no_value || c.one_in(2) ? input(where, ir::shape()) : known;
  }
  /// A parameter with these axes, known or new.
  id parameter(const ir::shape& dims) {
    const id known = to.pick(
        c, [&](const ir::statement& s) { return s.where == ir::space::graph && s.type == f64 && s.dims == dims; });
    return known == ir::no_value || c.one_in(2) ? input(ir::space::graph, dims) : known;
  }
  /// A vertex value with an axis; now and then an edge value.
  id rows() {
    const ir::domain where = c.one_in(4) ? ir::space::edge : ir::space::vertex;
    const id x =
        to.pick(c, [&](const ir::statement& s) { return s.where == where && s.type == f64 && s.dims.rank > 0; });
    return x == ir::no_value ? input(ir::space::vertex, shape_of_rank(1)) : x;
  }

  // ---- what an operation takes ----

  /// A value of a space that the operation takes; mostly a real one.
  id any(ir::opcode code, ir::domain where) {
    const bool real_only = !c.one_in(6);
    const id x = to.pick(c, [&](const ir::statement& s) {
      return s.where == where && takes_type(code, s.type) && (!real_only || is_real(s.type));
    });
    return x == ir::no_value ? input(where, shape()) : x;
  }
  id any(ir::opcode code) {
    const bool real_only = !c.one_in(6);
    const id x = to.pick(c, [&](const ir::statement& s) {
      return takes_type(code, s.type) && (!real_only || is_real(s.type)) && s.code != ir::opcode::constant;
    });
    return x == ir::no_value ? input(space(), shape()) : x;
  }
  id edge_value(ir::opcode code) {
    const bool own = c.one_in(3);
    const id x = to.pick(c, [&](const ir::statement& s) {
      return s.where == ir::space::edge && takes_type(code, s.type) && (own || is_real(s.type));
    });
    return x == ir::no_value || c.one_in(4) ? to.apply(gather(), any(code, ir::space::vertex)) : x;
  }
  /// A value with an axis.
  id with_axes(ir::opcode code) {
    const id x = to.pick(c, [&](const ir::statement& s) { return s.dims.rank > 0 && takes_type(code, s.type); });
    return x == ir::no_value ? input(space(), shape_of_rank(1 + c.below(3))) : x;
  }
  /// Another operand for x: of its type, its space or the graph's, and a shape that broadcasts.
  id partner(id x, ir::opcode code) {
    const ir::statement of = to.program[x];
    const id y = to.pick(c, [&](const ir::statement& s) {
      return can_join(s.where, of.where) && s.type == of.type && takes_type(code, s.type) &&
             ir::broadcast(s.dims, of.dims).ok;
    });
    if (y != ir::no_value && !(y == x && c.one_in(2)) && !c.one_in(8)) return y;
    if (of.type != f64) return to.constant(of.type == boolean ? 1 : c.below(4), of.type);
    return c.one_in(2) ? to.constant(number()) : input(of.where, of.dims);
  }
  /// A truth value for what has this space and shape.
  id condition(ir::domain where, const ir::shape& dims) {
    const id known = to.pick(c, [&](const ir::statement& s) {
      return s.type == boolean && can_join(s.where, where) && ir::broadcast(s.dims, dims).ok;
    });
    return known == ir::no_value ? to.input(where, boolean, dims, false, false, c) : known;
  }
  /// A label for what is picked or put there, which may lie outside of any axis.
  id label(ir::domain where) {
    const id known = to.pick(
        c, [&](const ir::statement& s) { return can_join(s.where, where) && s.type == i32 && s.dims.rank == 0; });
    if (known != ir::no_value && !c.one_in(2)) return known;
    return to.input(where == ir::space::graph ? space() : where, i32, ir::shape(), false, false, c);
  }

  /// The value itself where operand k of an operation may be it, else one made of it that may.
  id fitted(id x, ir::opcode code, int k) {
    if (!is_real(to.program[x].type)) return x;
    const domain d = domain_of(code);
    const op::interval of = d.of(k);
    bool fits = true;
    for (const auto* in : {&to.trained, &to.plain})
      for (const oracle::detail::bounded& b : in->at(x)) fits = fits && of.contains(b.value);
    if (!fits && of.low >= 0) x = add(to.apply(ir::opcode::mul, x, x), of.low + c.between(0.1, 0.5));
    else if (!fits && of.hole > 0) x = add(to.apply(ir::opcode::mul, x, x), of.hole + c.between(0.1, 0.5));
    else if (!fits) x = to.apply(ir::opcode::mul, to.apply(ir::opcode::tanh, x), real_number(x, 0.8 * of.high));
    return x;
  }
  /// x plus a number of its type.
  id add(id x, double number) { return to.apply(ir::opcode::add, x, real_number(x, number)); }

  /// Whether values of these spaces can be operands of one operation.
  static bool can_join(ir::domain a, ir::domain b) { return a == b || a == ir::space::graph || b == ir::space::graph; }

 protected:
  program_builder& to;
  choices& c;

 private:
  id real_number(id like, double number) { return to.constant(number, to.program[like].type); }
  bool takes_type(ir::opcode code, scalar_type type) const { return op::takes(domain_of(code).types, type); }
};

}  // namespace stg::test
