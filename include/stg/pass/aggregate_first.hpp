// aggregate_first: A (x W) → (A x) W where x is narrower than x W.
//
// Both are the same sum, and the sweep over edges costs as much as its rows are wide. Where W widens, aggregating first
// moves fewer bytes, and the parameter's gradient, (A x)ᵀ d, then needs no sweep at all: a layer whose input needs no
// gradient has none backward. That pays where W keeps the width, too, if nothing in the sum is trained. On samples it
// pays there in any case: the rows of x are several times as many as the rows of A x. Looks through a factor per vertex
// and a weight per edge, each one number. Extents known only at run time are left as they were written.
//
// Where A x is fixed (hoist.hpp) it costs nothing to aggregate first, whatever the widths, and n · (x W) → (n · x) W
// joins it: neither forward nor backward is a sweep left. Runs after cse and before autodiff, which profits from it.
#pragma once

#include <stg/base/sequence.hpp>         // sequence
#include <stg/ir/program.hpp>            // program
#include <stg/ir/rewriting.hpp>          // rewriting
#include <stg/analysis/dependence.hpp>   // depends_on, trainable_inputs
#include <stg/analysis/fixed.hpp>        // fixed_values
#include <stg/analysis/users.hpp>        // uses_of
#include <stg/analysis/reads_edges.hpp>  // has_edges
#include <stg/pass/cse.hpp>              // canonical, is_canonical
#include <stg/pass/value.hpp>            // value, emit

namespace stg::pass {

/// Sums that are taken before a product that keeps the width of its rows.
enum class same_width : int { of_untrained, of_all };

namespace detail {

class aggregate_first_rule : ir::rewriting {
 public:
  /// `entries`: the fixed inputs.
  constexpr aggregate_first_rule(const ir::program& of, const sequence<int>& fixed_entries, same_width which)
      : rewriting(of),
        uses(uses_of(of)),
        trained(depends_on(of, trainable_inputs(of))),
        entries(fixed_entries),
        takes_trained(which == same_width::of_all) {
    if (!entries.empty()) fixed = fixed_values(p, entries);
  }

  constexpr ir::program run() {
    return rewriting::run([this](ir::rewriting&, ir::value_id i) {
      const match m = find(p[i]);
      return m.product == ir::no_value ? as_written_or_scaled(p[i]) : multiplied_last(p[i], m);
    });
  }

 private:
  /// sum(weight · gather(factor · product)); weight and factor may be missing.
  struct match {
    ir::value_id weight = ir::no_value, gather = ir::no_value, factor = ir::no_value, product = ir::no_value;
  };
  constexpr bool once(ir::value_id i) const { return uses[i] == 1; }
  constexpr bool is_fixed(ir::value_id i) const { return !entries.empty() && (i == ir::no_value || fixed[i]); }
  constexpr bool is_trained(ir::value_id i) const { return i != ir::no_value && trained[i]; }
  constexpr bool is_product(ir::value_id i) const {
    return p[i].code == ir::opcode::matmul && p[i].dims.rank == 1 && once(i) && !is_storage(p.operand(p[i], 0).type);
  }
  /// weight and factor: the values between the product and the sum.
  constexpr bool comes_after(ir::value_id i, ir::value_id weight, ir::value_id factor = ir::no_value) const {
    if (!is_product(i)) return false;
    const ir::statement& s = p[i];
    if (is_fixed(s.operands[0]) && is_fixed(weight) && is_fixed(factor)) return true;
    const ir::shape& x = p.operand(s, 0).dims;
    if (!x.is_static() || !s.dims.is_static()) return false;
    const bool untrained = !is_trained(s.operands[0]) && !is_trained(weight) && !is_trained(factor);
    return x.size() < s.dims.size() || (x.size() == s.dims.size() && (untrained || takes_trained));
  }
  constexpr bool is_gather(ir::value_id i) const {
    return (p[i].code == ir::opcode::gather_src || p[i].code == ir::opcode::gather_dst) && once(i);
  }
  constexpr static bool is_one_number(const ir::statement& s) { return s.dims.rank == 0; }

  constexpr match find(const ir::statement& s) const {
    match m;
    if (s.code != ir::opcode::sum_edges) return m;
    ir::value_id message = s.operands[0];
    if (p[message].code == ir::opcode::mul && once(message))
      for (int k = 0; k < 2 && m.gather == ir::no_value; ++k)
        if (is_gather(p[message].operands[k]) && is_one_number(p.operand(p[message], 1 - k))) {
          m.gather = p[message].operands[k];
          m.weight = p[message].operands[1 - k];
        }
    if (is_gather(message)) m.gather = message;
    if (m.gather == ir::no_value) return m;
    const ir::value_id scaled = p[m.gather].operands[0];
    if (comes_after(scaled, m.weight)) m.product = scaled;
    if (p[scaled].code == ir::opcode::mul && once(scaled))
      for (int k = 0; k < 2; ++k)
        if (comes_after(p[scaled].operands[k], m.weight, p[scaled].operands[1 - k]) &&
            is_one_number(p.operand(p[scaled], 1 - k))) {
          m.product = p[scaled].operands[k];
          m.factor = p[scaled].operands[1 - k];
        }
    return m;
  }

  constexpr value now(ir::value_id i) { return value{&q, at[i]}; }
  constexpr ir::value_id multiplied_last(const ir::statement& s, const match& m) {
    value x = now(p[m.product].operands[0]);
    if (m.factor != ir::no_value) x = make(q, canonical(blank(ir::opcode::mul, now(m.factor), x)));
    value message = gather(p[m.gather].code, x, p[m.gather].where.set);
    if (m.weight != ir::no_value) message = make(q, canonical(blank(ir::opcode::mul, now(m.weight), message)));
    const value sum = aggregate(ir::opcode::sum_edges, message, s.side());
    const value product = matmul(sum, now(p[m.product].operands[1]), p[m.product].is_transposed());
    int& scopes = q.statements[product.id].scopes;  // it is the product, in the sum's place
    scopes = q.joined_scopes(q.joined_scopes(scopes, s.scopes), p[m.product].scopes);
    return product.id;
  }

  /// n · (x W) as (n · x) W where n and x are fixed; they may come from a further rewriting.
  constexpr ir::value_id as_written_or_scaled(const ir::statement& s) {
    for (int k = 0; !entries.empty() && s.code == ir::opcode::mul && k < 2; ++k) {
      const ir::value_id factor = s.operands[k], scaled = s.operands[1 - k];
      const ir::statement product = q[at[scaled]];
      if (!once(scaled) || !is_fixed(factor) || !is_one_number(p[factor]) || p[factor].where == ir::space::graph ||
          product.code != ir::opcode::matmul || product.dims.rank != 1 || !is_computed_once(product.operands[0]))
        continue;
      const value x = make(q, canonical(blank(ir::opcode::mul, now(factor), value{&q, product.operands[0]})));
      return matmul(x, value{&q, product.operands[1]}, product.is_transposed()).id;
    }
    return q.emit(canonical(ir::renamed(s, at)));
  }
  /// Of the program being written. An input is not computed, and a scaled copy of it would take memory.
  constexpr bool is_computed_once(ir::value_id i) const {
    return q[i].code != ir::opcode::input && fixed_values(q, entries)[i];
  }

  sequence<int> uses;
  ir::flags trained;  // on a differentiable path from a trained input
  const sequence<int>& entries;
  bool takes_trained;
  ir::flags fixed{};
};

}  // namespace detail

/// `entries`: the fixed inputs, if any.
constexpr ir::program aggregate_first(const ir::program& p, const sequence<int>& entries = {},
                                      same_width which = same_width::of_untrained) {
  if (entries.empty() && !has_edges(p) && is_canonical(p)) return p;
  return detail::aggregate_first_rule(p, entries, which).run();
}

}  // namespace stg::pass
