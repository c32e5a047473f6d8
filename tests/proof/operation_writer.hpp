// One statement of any operation of the list, with operands, shapes and attributes drawn at random.
//
// What is written follows from an operation's category and its domain; only what brings a shape or an attribute of its
// own is told apart by name. An operation of a new kind raises an error that says so.
#pragma once

#include "operand_writer.hpp"  // operand_writer, program_builder, choices

#include "../run/support/own_operations.hpp"  // own_operation_of

#include <utility>  // swap

namespace stg::test {

class operation_writer : public operand_writer {
 public:
  using operand_writer::operand_writer;

  /// The value, or does_not_fit.
  id write(ir::opcode code) {
    const op::info& known = op::info_of(code);
    switch (known.kind) {
      case op::category::source:
        return source(code);
      case op::category::pointwise:
        return pointwise(code, known.arity);
      case op::category::feature:
        return feature(code);
      case op::category::gather:
        return to.apply(code, any(code, ir::space::vertex));
      case op::category::aggregate:
        return to.aggregate(code, of_share(fitted(edge_value(code), code, 0), code), side());
      case op::category::reduction:
        if (code == ir::opcode::scatter_sum) return scattered();
        return to.apply(code, fitted(any(code, ir::space::vertex), code, 0));
      case op::category::dense:
        return dense(code);
      case op::category::call:
      case op::category::message:
        break;  // they have programs of their own
    }
    return refuse(code);
  }

  /// exp(x - most) · share, where the two are the owner's of edges or along axes.
  id softmax(id x, id most, id share, ir::opcode code, std::int64_t over) {
    ir::statement s = to.blank(code, x, most, share);
    if (code == ir::opcode::softmax_axes) s.set_axes(over);
    else s.set_side(static_cast<ir::direction>(over));
    return to.make(s);
  }
  id softmax(id x, ir::direction side) {
    const auto owners = [&](ir::opcode code) { return to.apply(ir::owner_gather(side), to.aggregate(code, x, side)); };
    const id most = owners(ir::opcode::max_edges), share = owners(ir::opcode::top_share_edges);
    return softmax(x, most, share, ir::opcode::softmax_edges, static_cast<int>(side));
  }
  id softmax_along(id x, std::int64_t axes) {
    const id most = to.reduce(ir::opcode::reduce_max, x, axes),
             share = to.reduce(ir::opcode::reduce_top_share, x, axes);
    return softmax(x, most, share, ir::opcode::softmax_axes, axes);
  }

  /// Something real that reads an integer or a truth value.
  id used(id x) {
    const ir::statement s = to.program[x];
    if (is_real(s.type)) return x;
    if (s.type == boolean) {
      const id a = input(s.where, s.dims), b = to.constant(c.number());
      return to.apply(ir::opcode::select, x, a, b);
    }
    ir::statement cast = to.blank(ir::opcode::cast, x);
    cast.type = f64;
    const id scaled = to.apply(ir::opcode::mul, to.make(cast), to.constant(c.number() / 16));
    return to.apply(ir::opcode::add, scaled, partner(scaled, ir::opcode::add));
  }

 private:
  id refuse(ir::opcode code) const {
    throw error("operation " + std::string(name_of(code)) +
                " is not written by random programs; say in tests/proof/operation_writer.hpp how");
  }

  // ---- sources ----

  id source(ir::opcode code) {
    ir::statement s = to.blank(code);
    s.type = f64;
    switch (code) {
      case ir::opcode::input: {
        const int kind = c.below(6);
        if (kind > 1) return input(space(), shape());
        return to.input(space(), kind == 0 ? i32 : boolean, shape_of_rank(c.below(2)), false, false, c);
      }
      case ir::opcode::constant:
        s.set_value(number());
        break;
      case ir::opcode::extent_value: {
        const ir::polynomial F(text("F")), G(text("G"));
        s.set_counted(to.program.intern(c.one_in(3) ? F : c.one_in(2) ? F + G : F * G));
        break;
      }
      case ir::opcode::arguments:
        return refuse(code);
      case ir::opcode::vertex_count:
        break;
      case ir::opcode::degree:
        return to.degree(side());
      case ir::opcode::vertex_index:
      case ir::opcode::edge_index:
        s.where = code == ir::opcode::vertex_index ? ir::space::vertex : ir::space::edge;
        s.type = i32;
        break;
      case ir::opcode::iota:
        s.type = i32;
        s.dims = shape_of_rank(1);
        break;
      case ir::opcode::keep_mask: {
        const id x = to.pick(c, [](const ir::statement& of) { return of.where != ir::space::graph && of.type == f64; });
        if (x == ir::no_value) return input(space(), shape());
        return to.apply(ir::opcode::mul, x, to.mask(to.program[x].where, to.program[x].dims));
      }
      default:
        return refuse(code);
    }
    return to.make(s);
  }

  /// A share by itself has no gradient: its rule is for those beside the maximum (op/aggregate.hpp).
  id of_share(id x, ir::opcode code) {
    const bool is_share = code == ir::opcode::top_share_edges || code == ir::opcode::reduce_top_share;
    return is_share ? to.apply(ir::opcode::detach, x) : x;
  }

  /// A number that the program or the graph knows.
  id of_graph() { return c.one_in(5) ? source(ir::opcode::extent_value) : to.constant(number()); }

  // ---- pointwise ----

  id pointwise(ir::opcode code, int arity) {
    if (code == ir::opcode::cast) return cast();
    if (code == ir::opcode::broadcast_to) return broadcast();
    if (code == ir::opcode::select) return select();
    if (code == ir::opcode::softmax_edges)
      return softmax(fitted(edge_value(code), ir::opcode::top_share_edges, 0), side());
    if (code == ir::opcode::softmax_axes) {
      const id x = fitted(with_axes(code), ir::opcode::reduce_top_share, 0);
      return softmax_along(x, std::int64_t(1) << c.below(to.program[x].dims.rank));
    }
    ir::statement s = to.blank(code, c.one_in(16) ? of_graph() : any(code));
    op::visit(code, [&](auto operation) {
      if (decltype(operation)::type::takes_number) s.set_real(c.one_in(2) ? 0.2 : 1.5);
    });
    if (arity > 1) s.operands[1] = partner(s.operands[0], code);
    if (arity > 1 && c.one_in(3)) std::swap(s.operands[0], s.operands[1]);  // 0 - x, 1 / x
    if (ir::applies_own(code)) s.set_operation(own_operation_of(arity));
    else if (arity > 2) return refuse(code);
    if (arity > 2) s.operands[2] = partner(s.operands[1], code);
    const int refused = op::info_of(code).refused_operands;
    for (int k = 0; k < arity; ++k)
      if ((refused >> k & 1) && to.is_trained(s.operands[k]) && !c.one_in(16))
        s.operands[k] = to.apply(ir::opcode::detach, s.operands[k]);
    if (const std::optional<id> made = to.attempt(s)) return *made;
    for (int k = 0; k < arity; ++k) s.operands[k] = fitted(s.operands[k], code, k);
    if (const std::optional<id> made = to.attempt(s)) return *made;
    if (domain_of(code).at != kink::none && is_real(to.program[s.operands[0]].type))
      s.operands[0] = add(s.operands[0], c.number());  // away from the kink
    return to.make(s);
  }
  id cast() {
    const id x = to.pick(c, [](const ir::statement& s) { return s.code != ir::opcode::constant; });
    ir::statement s = to.blank(ir::opcode::cast, x == ir::no_value ? input(space(), shape()) : x);
    constexpr scalar_type types[] = {i32, boolean, f32};
    s.type = to.program[s.operands[0]].type == f64 ? types[c.below(3)] : f64;
    if (const std::optional<id> made = to.attempt(s)) return *made;
    s.operands[0] = add(s.operands[0], c.number());
    return to.make(s);
  }
  id broadcast() {
    const id x = any(ir::opcode::broadcast_to);
    ir::statement s = to.blank(ir::opcode::broadcast_to, x);
    s.where = to.program[x].where == ir::space::graph ? space() : to.program[x].where;
    s.dims = to.program[x].dims;
    for (int a = 0; a < s.dims.rank; ++a)
      if (s.dims.axes[a].is_one()) s.dims.axes[a] = axis();
    if (s.dims.rank < to.limits.rank && c.one_in(2)) {
      ir::shape wider;
      wider.push(axis());
      for (int a = 0; a < s.dims.rank; ++a) wider.push(s.dims.axes[a]);
      s.dims = wider;
    }
    return to.make(s);
  }
  id select() {
    const id a = any(ir::opcode::add), b = partner(a, ir::opcode::add);
    const ir::shape dims = ir::broadcast(to.program[a].dims, to.program[b].dims).dims;
    const ir::domain where = to.program[a].where == ir::space::graph ? to.program[b].where : to.program[a].where;
    return to.apply(ir::opcode::select, condition(where, dims), a, b);
  }

  // ---- features ----

  id feature(ir::opcode code) {
    switch (code) {
      case ir::opcode::reduce_sum:
      case ir::opcode::reduce_max:
      case ir::opcode::reduce_top_share:
        return reduction_of_axes(code);
      case ir::opcode::reshape:
        return reshape();
      case ir::opcode::concat:
        return concat();
      case ir::opcode::slice:
      case ir::opcode::pad:
        return part(code);
      case ir::opcode::pick:
      case ir::opcode::put:
        return entry(code);
      case ir::opcode::transpose:
        return transpose();
      default:
        return refuse(code);
    }
  }
  id reduction_of_axes(ir::opcode code) {
    const id x = fitted(with_axes(code), code, 0);
    const ir::shape dims = to.program[x].dims;
    std::int64_t axes = std::int64_t(1) << c.below(dims.rank);
    if (c.one_in(4) && code != ir::opcode::reduce_top_share) axes |= std::int64_t(1) << c.below(dims.rank);
    const id reduced = to.reduce(code, of_share(x, code), axes);
    if (c.one_in(2)) return reduced;
    ir::shape left;
    for (int a = 0; a < dims.rank; ++a)
      if (!(axes >> a & 1)) left.push(dims.axes[a]);
    return to.reshape(reduced, left);
  }
  id reshape() {
    const id x = any(ir::opcode::reshape);
    const ir::shape dims = to.program[x].dims;
    ir::shape other;
    const int kind = c.below(4);
    if (kind == 0) {
      other.push(to.program.intern(to.program.size_of(dims)));
    } else if (kind == 1) {  // without axes of 1, or with one more
      for (int a = 0; a < dims.rank; ++a)
        if (!dims.axes[a].is_one()) other.push(dims.axes[a]);
    } else if (kind == 2) {
      const int at = c.below(dims.rank + 1);
      for (int a = 0; a <= dims.rank; ++a) {
        if (a == at) other.push(ir::extent(1));
        if (a < dims.rank) other.push(dims.axes[a]);
      }
    } else {  // the other way round
      for (int a = dims.rank - 1; a >= 0; --a) other.push(dims.axes[a]);
    }
    return to.reshape(x, other);
  }
  id concat() {
    const id x = with_axes(ir::opcode::concat);
    const ir::statement a = to.program[x];
    const int axis = c.below(a.dims.rank);
    const id y = to.pick(c, [&](const ir::statement& b) {
      if (!can_join(a.where, b.where) || a.type != b.type || a.dims.rank != b.dims.rank) return false;
      for (int i = 0; i < a.dims.rank; ++i)
        if (i != axis && !(a.dims.axes[i] == b.dims.axes[i])) return false;
      return true;
    });  // x itself is one
    ir::statement s = to.blank(ir::opcode::concat, x, y);
    s.set_part_axis(axis);
    s.dims = a.dims;
    s.dims.axes[axis] = to.program.intern(to.program.polynomial_of(a.dims.axes[axis]) +
                                          to.program.polynomial_of(to.program[y].dims.axes[axis]));
    return to.make(s);
  }
  id part(ir::opcode code) {
    const id x = with_axes(code);
    ir::statement s = to.blank(code, x);
    s.dims = to.program[x].dims;
    const int axis = c.below(s.dims.rank);
    s.set_part_axis(axis);
    const int length = static_cast<int>(to.trained.extent(s.dims.axes[axis]));
    if (code == ir::opcode::slice) {
      const int begin = c.below(length);
      s.set_beginning(ir::extent(begin));
      s.dims.axes[axis] = ir::extent(1 + c.below(length - begin));
    } else {
      const int before = c.below(3);
      const ir::polynomial longer = to.program.polynomial_of(s.dims.axes[axis]) + ir::polynomial(before + c.below(3));
      s.set_beginning(ir::extent(before));
      s.dims.axes[axis] = to.program.intern(longer);
    }
    return to.make(s);
  }

  /// The entry that a label names, which may lie outside of the axis; or zeros but for one.
  id entry(ir::opcode code) {
    const id x = code == ir::opcode::pick ? with_axes(code) : any(code);
    ir::statement s = to.blank(code, x, label(to.program[x].where));
    if (code == ir::opcode::put) s.set_beginning(ir::extent(1 + c.below(4)));
    return to.make(s);
  }
  /// Rows summed by a label of each, which may lie outside of the table.
  id scattered() {
    id x = to.pick(c, [](const ir::statement& s) {
      return s.where != ir::space::graph && s.type == f64 && s.dims.rank < ir::shape::max_rank;
    });
    if (x == ir::no_value) x = input(ir::space::vertex, shape_of_rank(1));
    const ir::domain where = to.program[x].where;
    const id known = label(where);
    ir::statement s =
        to.blank(ir::opcode::scatter_sum, x,
                 to.program[known].where == where ? known : to.input(where, i32, ir::shape(), false, false, c));
    s.set_beginning(ir::extent(1 + c.below(4)));
    return to.make(s);
  }
  id transpose() {
    const id x = with_axes(ir::opcode::transpose);
    ir::statement s = to.blank(ir::opcode::transpose, x);
    const int a = c.below(to.program[x].dims.rank), b = c.below(to.program[x].dims.rank);
    s.set_swapped(a, b);
    return to.make(s);
  }

  // ---- products ----

  id dense(ir::opcode code) {
    switch (code) {
      case ir::opcode::matmul: {
        const id x = rows();
        const bool transposed = c.one_in(3);
        const ir::extent k = to.program[x].dims.axes[to.program[x].dims.rank - 1];
        ir::shape dims;
        dims.push(transposed ? axis() : k);
        dims.push(transposed ? k : axis());
        ir::statement s = to.blank(code, x, parameter(dims));
        s.set_transposed(transposed);
        return to.make(s);
      }
      case ir::opcode::reduced_matmul: {
        const id x = rows();
        const ir::shape dims = to.program[x].dims;
        const id g = to.pick(c, [&](const ir::statement& s) {
          if (s.where != to.program[x].where || s.type != f64 || s.dims.rank != dims.rank) return false;
          for (int a = 0; a + 1 < dims.rank; ++a)
            if (!(s.dims.axes[a] == dims.axes[a])) return false;
          return true;
        });
        return to.apply(code, x, g);
      }
      case ir::opcode::sparse_matmul:
      case ir::opcode::sparse_reduced_matmul: {
        const id x = to.input(ir::space::vertex, f64, shape_of_rank(1), false, true, c);
        const id mask = c.one_in(2) ? to.constant(1) : to.mask(ir::space::vertex, to.program[x].dims);
        ir::shape dims;
        dims.push(to.program[x].dims.axes[0]);
        dims.push(axis());
        if (code == ir::opcode::sparse_matmul) return to.apply(code, x, parameter(dims), mask);
        const id g = to.pick(c, [](const ir::statement& s) {
          return s.where == ir::space::vertex && s.type == f64 && s.dims.rank == 1;
        });
        return to.apply(code, x, g == ir::no_value ? input(ir::space::vertex, shape_of_rank(1)) : g, mask);
      }
      default:
        return refuse(code);
    }
  }
};

}  // namespace stg::test
