// algebra: moves work from edges to vertices, where there is less of it.
//
//   f(gather(a), gather(b))            → gather(f(a, b))                  both read from the same end
//   sum(-x)                            → -sum(x)
//   sum(gather_owner(a) · x)           → a · sum(x)                       a constant per owner leaves the sum
//   sum(w · Σ_axis(gather_owner(a)·y)) → Σ_axis(a · sum(w · y))           where sum(w · y) is already known: the inner
//                                                                         sum of a softmax's gradient is ⟨d out, out⟩
//                                                                         (also as w · (m · Σ), where w · m is known:
//                                                                         m is the mask of attention dropout)
//   f(broadcast(x), y)                 → f(x, y)                          where y has the result's shape and space
//
// An empty neighbourhood stays 0 whatever a is (a may be 1/√0), so the third rule keeps a only where there are edges.
// Runs after autodiff, on forward and gradient together, and needs cse's order of operands.
#pragma once

#include <vector>  // vector

#include <stg/ir/program.hpp>  // program
#include <stg/pass/cse.hpp>    // canonical
#include <stg/pass/value.hpp>  // value

namespace stg::pass {

namespace detail {

class algebra_rules {
 public:
  constexpr explicit algebra_rules(ir::program& q) : q(q) {}

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
  constexpr static ir::opcode owner_gather(ir::direction side) {
    return side == ir::direction::in ? ir::opcode::gather_dst : ir::opcode::gather_src;
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
    moved.where = ir::space::vertex;
    return keep(end, at(q.emit(canonical(moved)))).id;
  }

  constexpr ir::value_id out_of_sum(const ir::statement& s) {
    const ir::statement message = q.operand(s, 0);
    if (message.code == ir::opcode::negate) return keep(ir::opcode::negate, at(sum(message.operands[0], s.side()))).id;
    if (message.code != ir::opcode::mul) return ir::no_value;
    for (int k = 0; k < 2; ++k) {
      const ir::statement factor = q.operand(message, k);
      const value rest = at(message.operands[1 - k]);
      if (factor.code == owner_gather(s.side()) && rest.dims() == message.dims && rest.where() == ir::space::edge)
        return keep(ir::opcode::mul, with_edges(factor.operands[0], s.side()), at(sum(rest.id, s.side()))).id;
      ir::value_id known = weighted_inner_sum(s, message.operands[k], rest);
      if (known == ir::no_value && factor.code == ir::opcode::mul) known = masked_inner_sum(s, factor, rest);
      if (known != ir::no_value) return known;
    }
    return ir::no_value;
  }

  constexpr ir::value_id sum(ir::value_id message, ir::direction side) {
    ir::statement s = blank(ir::opcode::sum_edges, at(message));
    s.attribute = static_cast<int>(side);
    s.scopes = scopes;
    op::info_of(s.code).infer(q, s);
    return rewrite(s);
  }

  constexpr value with_edges(ir::value_id a, ir::direction side) {
    return where_there_are_edges(at(a), side, [&](const ir::statement& s) { return at(keep(s)); });
  }

  /// sum(w · (m · Σ_axis(…))) as sum((w · m) · Σ_axis(…)), where w · m is known.
  constexpr ir::value_id masked_inner_sum(const ir::statement& s, const ir::statement& factor, value w) {
    for (int k = 0; k < 2; ++k) {
      if (inner_sum(factor.operands[k]) == ir::no_value) continue;
      ir::statement masked = blank(ir::opcode::mul, w, at(factor.operands[1 - k]));
      op::info_of(masked.code).infer(q, masked);
      const ir::value_id weight = q.find(canonical(masked));
      if (weight != ir::no_value) return weighted_inner_sum(s, factor.operands[k], at(weight));
    }
    return ir::no_value;
  }

  /// The Σ_axis that a value is, or is but for leading axes of extent 1, which broadcasting does not see.
  constexpr ir::value_id inner_sum(ir::value_id x) const {
    if (q[x].code == ir::opcode::reduce_sum) return x;
    if (q[x].code != ir::opcode::reshape || q.operand(q[x], 0).code != ir::opcode::reduce_sum) return ir::no_value;
    const ir::shape& from = q.operand(q[x], 0).dims;
    bool same = q[x].dims.rank <= from.rank;
    for (int i = 0; i < from.rank; ++i) same = same && from.from_right(i) == q[x].dims.from_right(i);
    return same ? q[x].operands[0] : ir::no_value;
  }

  /// sum(w · Σ_axis(gather_owner(a) · y)) where sum(w · y) is known.
  constexpr ir::value_id weighted_inner_sum(const ir::statement& s, ir::value_id factor, value w) {
    const ir::value_id sum_at = inner_sum(factor);
    if (sum_at == ir::no_value || !(w.dims() == q[factor].dims)) return ir::no_value;
    const ir::statement inner = q[sum_at], product = q.operand(inner, 0);
    if (product.code != ir::opcode::mul) return ir::no_value;
    for (int k = 0; k < 2; ++k) {
      const ir::statement a = q.operand(product, k);
      if (a.code != owner_gather(s.side()) || !(a.dims == product.dims)) continue;
      ir::statement weighted = blank(ir::opcode::mul, w, at(product.operands[1 - k]));
      op::info_of(weighted.code).infer(q, weighted);
      ir::statement total = s;
      total.operands[0] = q.find(canonical(weighted));
      if (total.operands[0] == ir::no_value) continue;
      op::info_of(total.code).infer(q, total);
      const ir::value_id known = q.find(total);
      if (known == ir::no_value) continue;
      ir::statement reduced = blank(ir::opcode::reduce_sum, keep(ir::opcode::mul, at(a.operands[0]), at(known)));
      reduced.attribute = inner.attribute;
      ir::statement shaped = blank(ir::opcode::reshape, at(keep(reduced)));
      shaped.dims = s.dims;
      return sum_at == factor ? shaped.operands[0] : keep(shaped);
    }
    return ir::no_value;
  }

  ir::program& q;
  std::uint64_t scopes = 0;
};

}  // namespace detail

constexpr ir::program algebra(const ir::program& p) {
  ir::program q = ir::blank_like(p);
  detail::algebra_rules rules(q);
  std::vector<ir::value_id> at;
  for (const ir::statement& s : p.statements) at.push_back(rules.rewrite(ir::renamed(s, at)));
  ir::carry_attachments(p, q, at);
  return q;
}

}  // namespace stg::pass
