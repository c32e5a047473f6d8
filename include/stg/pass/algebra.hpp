// algebra: moves work from edges to vertices, where there is less of it.
//
//   f(gather(a), gather(b))            → gather(f(a, b))     both read from the same end
//   sum(-x)                            → -sum(x)
//   sum(gather_owner(a) · x)           → a · sum(x)          a constant per owner leaves the sum
//   f(broadcast(x), y)                 → f(x, y)             where y has the result's shape and space
//
// An empty neighbourhood stays 0 whatever a is (a may be 1/√0), so the third rule keeps a only where there are edges.
// Runs after autodiff, on forward and gradient together, and needs cse's order of operands.
#pragma once

#include <stg/ir/program.hpp>    // program
#include <stg/ir/rewriting.hpp>  // rewritten
#include <stg/pass/cse.hpp>      // canonical
#include <stg/pass/value.hpp>    // value

namespace stg::pass {

namespace detail {

class algebra_rules {
 public:
  constexpr explicit algebra_rules(ir::program& to) : q(to) {}

  /// The value of a statement whose operands are already rewritten.
  constexpr ir::value_id rewrite(ir::statement s) {
    scopes = s.scopes;
    drop_broadcasts(s);
    s = canonical(s);
    const op::category kind = op::info_of(s.code).kind;
    if (s.where == ir::space::edge && (kind == op::category::pointwise || kind == op::category::feature)) {
      const ir::value_id moved = through_gather(s);
      if (moved != ir::no_value) return moved;
    }
    if (s.code == ir::opcode::sum_edges) {
      const ir::value_id moved = out_of_sum(s);
      if (moved != ir::no_value) return moved;
    }
    return q.emit(s);
  }

 private:
  constexpr value at(ir::value_id id) { return value{&q, id}; }
  constexpr static bool is_gather(const ir::statement& s) {
    return s.code == ir::opcode::gather_src || s.code == ir::opcode::gather_dst;
  }
  constexpr ir::value_id keep(ir::statement s) {
    s.scopes = scopes;
    return emit(q, canonical(s));
  }
  constexpr value keep(ir::opcode code, value a, value b = value(), value c = value()) {
    return at(keep(blank(code, a, b, c)));
  }

  constexpr void drop_broadcasts(ir::statement& s) {
    if (op::info_of(s.code).kind != op::category::pointwise || s.arity() < 2) return;
    for (int k = 0; k < s.arity(); ++k) {
      if (q.operand(s, k).code != ir::opcode::broadcast_to) continue;
      ir::statement without = s;
      without.operands[k] = q.operand(s, k).operands[0];
      op::info_of(s.code).infer(q, without);
      if (without.where == s.where && without.dims == s.dims) s = without;
    }
  }

  constexpr ir::value_id through_gather(const ir::statement& s) {
    ir::opcode end = ir::opcode::input;
    for (int k = 0; k < s.arity(); ++k) {
      const ir::statement& x = q.operand(s, k);
      if (x.where == ir::space::graph) continue;
      if (!is_gather(x) || (end != ir::opcode::input && x.code != end)) return ir::no_value;
      end = x.code;
    }
    if (end == ir::opcode::input) return ir::no_value;
    ir::statement moved = s;
    for (int k = 0; k < s.arity(); ++k)
      if (q.operand(s, k).where == ir::space::edge) moved.operands[k] = q.operand(s, k).operands[0];
    const int relation = s.where.set;
    moved.where = ir::domain(ir::space::vertex,
                             end == ir::opcode::gather_src ? q.source_set(relation) : q.destination_set(relation));
    ir::statement gathered = blank(end, at(q.emit(canonical(moved))));
    gathered.where.set = relation;
    return keep(gathered);
  }

  constexpr ir::value_id out_of_sum(const ir::statement& s) {
    const ir::statement message = q.operand(s, 0);
    if (message.code == ir::opcode::negate) return keep(ir::opcode::negate, at(sum(message.operands[0], s.side()))).id;
    if (message.code != ir::opcode::mul) return ir::no_value;
    for (int k = 0; k < 2; ++k) {
      const ir::statement factor = q.operand(message, k);
      const value rest = at(message.operands[1 - k]);
      if (factor.code == ir::owner_gather(s.side()) && rest.dims() == message.dims && rest.where() == ir::space::edge)
        return keep(ir::opcode::mul, with_edges(factor.operands[0], message.where.set, s.side()),
                    at(sum(rest.id, s.side())))
            .id;
    }
    return ir::no_value;
  }

  constexpr ir::value_id sum(ir::value_id message, ir::direction side) {
    ir::statement s = blank(ir::opcode::sum_edges, at(message));
    s.set_side(side);
    s.scopes = scopes;
    op::info_of(s.code).infer(q, s);
    return rewrite(s);
  }

  constexpr value with_edges(ir::value_id a, int relation, ir::direction side) {
    return where_there_are_edges(at(a), relation, side, [&](const ir::statement& s) { return at(keep(s)); });
  }

  ir::program& q;
  int scopes = 0;
};

}  // namespace detail

constexpr ir::program algebra(const ir::program& p) {
  return ir::rewritten(
      p, [](ir::rewriting& r, ir::value_id i) { return detail::algebra_rules(r.q).rewrite(r.renamed(i)); });
}

}  // namespace stg::pass
