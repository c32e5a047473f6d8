// expand: writes operations that only autodiff has to know in others, now that the gradient is there.
//
//   detach(x)        → x                        kept x out of the gradient; now both are one value, stored once
//   var_edges(x)     → mean((x - mean(x))²)     its own gradient needs no sum of x - mean(x), which is 0
//   own_gradient(y)  → y                        gave y a gradient that is a program of its own
//
// Each operation's `expand` says how. Runs right after autodiff, and after inference if a program is called plainly.
#pragma once

#include <stg/ir/callees.hpp>         // arguments_of
#include <stg/ir/program.hpp>         // program
#include <stg/ir/rewriting.hpp>       // rewritten
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
  return ir::rewritten(p, [&p](ir::rewriting& r, ir::value_id i) {
    const ir::statement& s = p[i];
    if (s.code == ir::opcode::own_gradient) return ir::no_value;
    if (s.code == ir::opcode::result && p.operand(s, 0).code == ir::opcode::own_gradient)
      return r.at[ir::arguments_of(p, p.operand(s, 0))[s.output()]];
    return op::info_of(s.code).expands ? detail::expanded(r.q, r.renamed(i)) : r.copy(i);
  });
}

}  // namespace stg::pass
