// expand: operations that only autodiff has to know are written in others, now that the gradient is there.
//
//   detach(x)        → x                        kept x out of the gradient; now both are one value, stored once
//   var_edges(x)     → mean((x - mean(x))²)     its own gradient needs no sum of x - mean(x), which is 0
//   own_gradient(y)  → y                        gave y a gradient that is a program of its own
//
// Each operation's `expand` says how. Runs right after autodiff, and after inference where a program is called plainly.
#pragma once

#include <stg/base/sequence.hpp>      // sequence
#include <stg/ir/program.hpp>         // program
#include <stg/op/list.hpp>            // info_of, visit
#include <stg/pass/rule_context.hpp>  // rule_context

namespace stg::pass {

namespace detail {
constexpr ir::value_id expanded(ir::program& q, const ir::statement& s) {
  const int before = q.statements.size();
  ir::value_id result = ir::no_value;
  rule_context context(q, s);
  op::visit(s.code, [&](auto operation) {
    using what = typename decltype(operation)::type;
    if constexpr (what::expands) result = what::expand(context).id;
  });
  for (int i = before; i < q.statements.size(); ++i) q.statements[i].scopes = s.scopes;
  return result;
}
}  // namespace detail

constexpr ir::program expand(const ir::program& p) {
  bool any = false;
  for (const ir::statement& s : p.statements)
    any = any || op::info_of(s.code).expands || s.code == ir::opcode::own_gradient;
  if (!any) return p;
  ir::program q = ir::blank_like(p);
  sequence<ir::value_id> at;
  for (const ir::statement& s : p.statements) {
    const bool is_of_own = s.code == ir::opcode::result && p.operand(s, 0).code == ir::opcode::own_gradient;
    if (is_of_own) at.push_back(at[ir::arguments_of(p, p.operand(s, 0))[static_cast<int>(s.attribute)]]);
    if (s.code == ir::opcode::own_gradient) at.push_back(ir::no_value);
    if (is_of_own || s.code == ir::opcode::own_gradient) continue;
    const ir::statement copy = ir::renamed(s, at);
    at.push_back(op::info_of(s.code).expands ? detail::expanded(q, copy) : q.emit(copy));
  }
  ir::carry_attachments(p, q, at);
  return q;
}

}  // namespace stg::pass
