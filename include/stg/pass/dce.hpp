// dce: drops statements that no output needs, and steps that no statement is left of. Runs after every pass that leaves
// some behind: a step that stayed would be planned and compiled with the program.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program
#include <stg/ir/rewriting.hpp>   // rewriting
#include <stg/ir/promise.hpp>     // each_output

namespace stg::pass {

/// used[i]: statement i is an output, is checked before the program runs, is promised to be stored, or is an operand of
/// a used statement.
constexpr ir::flags reachable(const ir::program& p) {
  ir::flags used(p.statements.size(), false);
  auto mark = [&](ir::value_id at) {
    if (at != ir::no_value) used[at] = true;
  };
  ir::each_output(p, mark);
  for (const ir::label_range& c : p.checks) {
    mark(c.labels);
    mark(c.mask);
  }
  for (ir::value_id i = p.size() - 1; i >= 0; --i)
    if (used[i])
      for (ir::value_id operand : p[i].operands) mark(operand);
  return used;
}

/// How often each value is an operand of a used statement, or an output or promised to be stored.
constexpr sequence<int> uses_of(const ir::program& p) {
  const ir::flags used = reachable(p);
  sequence<int> uses(p.statements.size(), 0);
  for (ir::value_id i = 0; i < p.size(); ++i)
    for (int k = 0; used[i] && k < p[i].arity(); ++k) ++uses[p[i].operands[k]];
  ir::each_output(p, [&](ir::value_id i) { ++uses[i]; });
  return uses;
}

namespace detail {
/// Gives q those of p's callees that used statements name. Their new numbers, by the old ones.
constexpr sequence<int> take_used_callees(const ir::program& p, const ir::flags& used, ir::program& q) {
  sequence<int> number(p.callees.size(), -1);
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (used[i] && ir::has_callee(p[i])) number[static_cast<int>(p[i].attribute)] = 0;
  q.callees.clear();
  for (int k = 0; k < p.callees.size(); ++k) {
    if (number[k] < 0) continue;
    number[k] = q.callees.size();
    q.callees.push_back(p.callees[k]);
  }
  return number;
}
}  // namespace detail

constexpr ir::program dce(const ir::program& p) {
  const ir::flags used = reachable(p);
  ir::rewriting all(p);
  sequence<int> callee;
  if (!p.callees.empty()) callee = detail::take_used_callees(p, used, all.q);
  return all.run([&](ir::rewriting& r, ir::value_id i) {
    if (!used[i]) return ir::no_value;
    ir::statement s = r.renamed(i);
    if (ir::has_callee(s)) s.attribute = callee[static_cast<int>(s.attribute)];
    return r.q.emit(s);
  });
}

}  // namespace stg::pass
