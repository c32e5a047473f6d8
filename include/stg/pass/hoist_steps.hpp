// hoist_steps: moves work that is the same at every step of a scan out of its step: it is computed once, before the
// scan, which reads it as a further value.
//
// A product of a feature that does not change, for one, is the same at every step. A value is worth moving if `hoist`
// keeps it when inputs are fixed: the inputs of a step that are neither carried nor have a value for each step are. So
// nothing with a row per edge is stored, and no cheap arithmetic. Random values stay, since each step draws its own.
// The gradient mirrors it: cotangents of a moved value are added over the steps, and its operands are differentiated
// once.
//
// Work that reads edges stays in the steps of an outermost scan: a call may give each of them a graph of its own.
//
// Runs before autodiff, inner scans first, so that work common to all steps around them leaves these, too. A scan whose
// gradient is a value of the program is left as it is: the gradient's step repeats its own.
#pragma once

#include <stg/base/sequence.hpp>             // sequence
#include <stg/ir/callees.hpp>                // arguments_of, emit_arguments, callee_number
#include <stg/ir/program.hpp>                // program
#include <stg/ir/rewriting.hpp>              // rewriting
#include <stg/analysis/choices.hpp>          // choices
#include <stg/analysis/reads_edges.hpp>      // reads_edges
#include <stg/analysis/scan_dependence.hpp>  // inputs_by_entry
#include <stg/pass/hoist.hpp>                // hoist
#include <stg/pass/inline.hpp>               // emit_inlined

namespace stg::pass {

namespace detail {

class step_hoisting : ir::rewriting {
 public:
  constexpr step_hoisting(const ir::program& of, bool in_step, const choices& chosen)
      : rewriting(of), is_repeated(of.size(), 0), one_graph(in_step), by(chosen) {}

  constexpr ir::program run() {
    for (const ir::statement& s : p.statements)
      if (s.code == ir::opcode::scan_gradient) is_repeated[s.operands[1]] = 1;
    q.callees.clear();
    return rewriting::run([this](ir::rewriting&, ir::value_id i) {
      if (p[i].code == ir::opcode::scan && !is_repeated[i] && !ir::is_call(p[i])) return emit_scan(i);
      return ir::has_callee(p[i]) ? emit_as_it_was(i) : copy(i);
    });
  }

 private:
  constexpr ir::value_id emit_as_it_was(ir::value_id i) {
    ir::statement s = renamed(i);
    s.set_callee(ir::callee_number(q, p.callees[s.callee()]));
    return q.emit(s);
  }
  constexpr ir::value_id emit_scan(ir::value_id i) {
    ir::statement s = p[i];
    const ir::program& step = p.callees[s.callee()];
    sequence<ir::value_id> reads = ir::arguments_of(p, s);
    const hoisted cut = hoist(step, same_at_every_step(s, step, reads), by);
    for (ir::value_id& x : reads) x = at[x];
    if (cut.prologue.outputs.empty() || (!one_graph && reads_edges(cut.prologue))) return emit_as_it_was(i);
    for (const ir::value_id outside : emit_inlined(q, cut.prologue, reads)) reads.push_back(outside);
    s.operands[0] = ir::emit_arguments(q, reads);
    s.set_callee(ir::callee_number(q, cut.rest));
    return q.emit(s);
  }

  /// The inputs of a step that are neither carried nor have a value for each step.
  constexpr sequence<int> same_at_every_step(const ir::statement& scan, const ir::program& step,
                                             const sequence<ir::value_id>& reads) const {
    const sequence<ir::value_id> input = inputs_by_entry(step);
    sequence<int> same;
    for (int e = scan.carried(); e < reads.size(); ++e)
      if (input[e] != ir::no_value && p[reads[e]].is_sequence() == step[input[e]].is_sequence()) same.push_back(e);
    return same;
  }

  ir::flags is_repeated;  // a scan with a scan for its gradient
  bool one_graph;         // for all steps of a scan, since they are parts of a step
  const choices& by;
};

/// `in_step`: the program is a step.
constexpr ir::program hoist_steps_of(const ir::program& p, bool in_step, const choices& by) {
  if (p.callees.empty()) return p;
  ir::program q = p;
  for (ir::program& step : q.callees) step = hoist_steps_of(step, true, by);
  return step_hoisting(q, in_step, by).run();
}

}  // namespace detail

constexpr ir::program hoist_steps(const ir::program& p, const choices& by = choices()) {
  return detail::hoist_steps_of(p, false, by);
}

}  // namespace stg::pass
