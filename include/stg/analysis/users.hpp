// users: the needed values of a program, and how often each is read.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program
#include <stg/ir/decisions.hpp>   // each_output

namespace stg::pass {

/// used[i]: statement i is one of the first `outputs` outputs, is checked before the program runs, is promised to be
/// stored, or is an operand of a used statement.
constexpr ir::flags reachable(const ir::program& p, int outputs) {
  ir::flags used(p.statements.size(), false);
  auto mark = [&](ir::value_id at) {
    if (at != ir::no_value) used[at] = true;
  };
  ir::each_output(p, outputs, mark);
  for (const ir::label_range& c : p.checks) {
    mark(c.labels);
    mark(c.mask);
  }
  for (ir::value_id i = p.size() - 1; i >= 0; --i)
    if (used.first[i])  // most passes ask, so there is no call for each operand
      for (ir::value_id operand : p.statements.first[i].operands)
        if (operand != ir::no_value) used.first[operand] = true;
  return used;
}
/// The same with all outputs.
constexpr ir::flags reachable(const ir::program& p) { return reachable(p, p.outputs.size()); }

/// How often each value is an operand of a used statement, or an output or promised to be stored.
constexpr sequence<int> uses_of(const ir::program& p) {
  const ir::flags used = reachable(p);
  sequence<int> uses(p.statements.size(), 0);
  for (ir::value_id i = 0, n = p.size(); i < n; ++i)
    if (used.first[i])
      for (ir::value_id operand : p.statements.first[i].operands)
        if (operand != ir::no_value) ++uses.first[operand];
  ir::each_output(p, [&](ir::value_id i) { ++uses[i]; });
  return uses;
}

}  // namespace stg::pass
