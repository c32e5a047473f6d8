// Operands of a statement: whether they meet the conditions that `infer`, which throws, takes for granted.
#pragma once

#include <stg/ir/operation_name.hpp>  // operation_name
#include <stg/ir/program.hpp>         // program
#include <stg/op/list.hpp>            // info, rule

namespace stg::pass::detail {

class operand_verifier {
  using rule = op::rule;
  using opcode = ir::opcode;

 public:
  constexpr explicit operand_verifier(const ir::program& of) : p(of) {}

  /// The first rule that the operands of a statement break; they are values before it.
  constexpr rule run(const ir::statement& s, const op::info& known) const {
    switch (known.kind) {
      case op::category::pointwise:
        return broadcasting(s);
      case op::category::feature:
        return known.wrong_operands(p, s);
      case op::category::gather:
        return gathers(s);
      case op::category::reduction:
        return s.code == opcode::scatter_sum ? known.wrong_operands(p, s) : lives_in(s, 0, ir::space::vertex);
      case op::category::aggregate:
        return lives_in(s, 0, ir::space::edge);
      case op::category::dense:
        return product(s);
      case op::category::message:
        return message(s);
      case op::category::source:
      case op::category::call:
        return rule::none;
    }
    return rule::none;
  }

 private:
  constexpr rule lives_in(const ir::statement& s, int k, ir::space where) const {
    return p.operand(s, k).where == where ? rule::none : rule::spaces_agree;
  }
  /// The vertices of the gathered end are of the operand's set.
  constexpr rule gathers(const ir::statement& s) const {
    if (s.where != ir::space::edge || p.operand(s, 0).where != ir::space::vertex) return rule::spaces_agree;
    const int relation = s.where.set;
    const int from = s.code == opcode::gather_src ? p.source_set(relation) : p.destination_set(relation);
    return p.operand(s, 0).where.set == from ? rule::none : rule::spaces_agree;
  }

  constexpr rule broadcasting(const ir::statement& s) const {
    const int first = s.code == opcode::select ? 1 : 0;  // select's condition has a type of its own
    if (first == 1 && p.operand(s, 0).type != scalar_type::boolean) return rule::scalar_types_agree;
    ir::domain where = p.operand(s, 0).where;
    ir::shape dims = p.operand(s, 0).dims;
    for (int k = 1; k < s.arity(); ++k) {
      const ir::statement& x = p.operand(s, k);
      if (!op::can_join(where, x.where)) return rule::spaces_agree;
      if (where == ir::space::graph) where = x.where;
      const ir::broadcast_result both = ir::broadcast(dims, x.dims);
      if (!both.ok) return rule::shapes_broadcast;
      dims = both.dims;
      if (x.type != p.operand(s, first).type) return rule::scalar_types_agree;
    }
    if (s.code != opcode::broadcast_to) return rule::none;
    if (where != s.where && where != ir::space::graph) return rule::spaces_agree;
    return ir::broadcast(dims, s.dims).dims == s.dims ? rule::none : rule::shapes_broadcast;
  }

  constexpr rule product(const ir::statement& s) const {
    const ir::statement& a = p.operand(s, 0);
    const ir::statement& b = p.operand(s, 1);
    const bool rows =
        s.code == opcode::matmul || s.code == opcode::sparse_matmul;  // × parameter; otherwise rowsᵀ × rows
    const bool per_edge = a.where == ir::space::edge && !ir::is_sparse_product(s);
    if ((a.where != ir::space::vertex && !per_edge) || b.where != (rows ? ir::space::graph : a.where))
      return rule::spaces_agree;
    const bool is_sparse = ir::is_sparse_product(s);
    if ((is_sparse ? a.type : computed_in(a.type)) != (is_sparse || rows ? b.type : computed_in(b.type)))
      return rule::scalar_types_agree;
    if (a.dims.rank < 1 || b.dims.rank != (rows ? 2 : a.dims.rank)) return rule::shape_follows_from_operands;
    bool agree = true;
    if (ir::is_sparse_product(s)) agree = a.dims.rank == 1 && op::masks(a, p.operand(s, 2));
    if (rows) agree = agree && a.dims.axes[a.dims.rank - 1] == b.dims.axes[s.is_transposed() ? 1 : 0];
    for (int i = 0; !rows && i + 1 < a.dims.rank; ++i) agree = agree && a.dims.axes[i] == b.dims.axes[i];
    return agree ? rule::none : rule::shape_follows_from_operands;
  }

  /// Its value is one of the graph, behind the message before it.
  constexpr rule message(const ir::statement& s) const {
    for (int k = 0; k < s.arity(); ++k)
      if (p.operand(s, k).where != ir::space::graph) return rule::spaces_agree;
    if (s.code == opcode::sum_at_rank && !is_number(p.operand(s, 0).type)) return rule::scalar_types_agree;
    const bool is_there = s.rank().is_relative || s.rank().number >= 0;
    const bool is_told = ir::operation_name(s.message()).length > 0 && s.gradients() >= 0 && is_there;
    return is_told ? rule::none : rule::member_is_in_range;
  }

  const ir::program& p;
};

}  // namespace stg::pass::detail
