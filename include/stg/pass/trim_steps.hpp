// trim_steps: leaves out unread work of a scan's step: results nobody asked for, carried values that lead to none, and
// unread inputs.
//
// Runs when the read results are known. Of two scans, one within the other, the outer one goes first.
#pragma once

#include <stg/base/sequence.hpp>   // sequence
#include <stg/ir/callees.hpp>      // arguments_of, emit_arguments, callee_number
#include <stg/ir/program.hpp>      // program
#include <stg/ir/rewriting.hpp>    // rewritten
#include <stg/ir/decisions.hpp>    // each_output
#include <stg/analysis/users.hpp>  // reachable
#include <stg/pass/dce.hpp>        // dce

namespace stg::pass {

namespace detail {

/// A step with fewer inputs and outputs, and their new numbers (-1: left out).
struct trimmed_step {
  int callee = 0, carried_before = 0;  // of the original step; equal calls share a trimmed one
  ir::flags wanted{};
  int number = -1;  // among the new program's steps
  ir::program program{};
  int carried = 0;
  sequence<int> inputs{};     // remaining old entries, in order
  sequence<int> output_at{};  // by old number

  constexpr bool is_for(int called, int carried_values, const ir::flags& results) const {
    return callee == called && carried_before == carried_values && wanted == results;
  }
};

/// wanted: of each output, whether its result is read.
constexpr trimmed_step trimmed(const ir::program& p, int callee, int carried, ir::flags wanted) {
  const ir::program& step = p.callees[callee];
  trimmed_step made;
  made.callee = callee;
  made.carried_before = carried;
  made.wanted = wanted;
  ir::flags read(step.inputs.size(), 0);
  for (bool grows = true; grows;) {
    grows = false;
    made.program = step;
    made.program.outputs.clear();
    for (int k = 0; k < step.outputs.size(); ++k)
      if (wanted[k]) made.program.outputs.push_back(step.outputs[k]);
    const ir::flags used = reachable(made.program);
    for (ir::value_id i = 0; i < step.size(); ++i) {
      if (!used[i] || step[i].code != ir::opcode::input) continue;
      read[step[i].entry()] = 1;
      if (step[i].entry() >= carried || wanted[step[i].entry()]) continue;
      wanted[step[i].entry()] = 1;
      grows = true;
    }
  }
  sequence<int> input_at(step.inputs.size(), -1);
  for (int e = 0; e < step.inputs.size(); ++e) {
    if (e < carried ? !wanted[e] : !read[e]) continue;
    input_at[e] = made.inputs.size();
    made.inputs.push_back(e);
    made.carried += e < carried;
  }
  made.output_at.assign(step.outputs.size(), -1);
  int next = 0;
  for (int k = 0; k < step.outputs.size(); ++k)
    if (wanted[k]) made.output_at[k] = next++;
  made.program = dce(made.program);
  made.program.inputs.clear();
  for (int e : made.inputs) made.program.inputs.push_back(step.inputs[e]);
  made.program = ir::rewritten(made.program, [&input_at](ir::rewriting& r, ir::value_id i) {
    ir::statement s = r.renamed(i);
    if (s.code == ir::opcode::input) s.set_entry(input_at[s.entry()]);
    return r.q.emit(s);
  });
  return made;
}

/// The values of a program that are read, and its scans' trimmed steps.
struct trimming {
  ir::flags used{};
  sequence<int> step_at{};  // by statement: of a scan that is used, its step
  sequence<trimmed_step> steps{};
};
/// From the outputs back, as far as somebody reads. scan_at: the number of each scan, of which there are so many.
constexpr trimming find_trimmed(const ir::program& p, const sequence<int>& scan_at, int scans) {
  trimming found;
  found.used.assign(p.size(), 0);
  found.step_at.assign(p.size(), -1);
  ir::flags& used = found.used;
  sequence<trimmed_step>& steps = found.steps;
  sequence<ir::flags> asked(scans);  // of each scan, by results; only they read it, and stand behind it
  const auto ask = [](ir::flags& results, int k) {
    if (results.size() <= k) results.resize(k + 1);
    results[k] = 1;
  };
  ir::each_output(p, [&](ir::value_id i) { used[i] = 1; });
  for (const ir::label_range& c : p.checks) {
    used[c.labels] = 1;
    if (c.mask != ir::no_value) used[c.mask] = 1;
  }
  for (ir::value_id i = p.size() - 1; i >= 0; --i) {
    if (!used[i]) continue;
    const ir::statement& s = p[i];
    if (ir::is_scan(s.code)) {
      const int carried = s.carried();
      ir::flags& wanted = asked[scan_at[i]];
      wanted.resize(p.callees[s.callee()].outputs.size());
      int k = 0;
      while (k < steps.size() && !steps[k].is_for(s.callee(), carried, wanted)) ++k;
      if (k == steps.size()) steps.push_back(trimmed(p, s.callee(), carried, wanted));
      found.step_at[i] = k;
      const sequence<ir::value_id> values = ir::arguments_of(p, s);
      for (int e : steps[k].inputs) used[values[e]] = 1;
    } else {
      if (s.code == ir::opcode::result && ir::is_scan(p[s.operands[0]].code))
        ask(asked[scan_at[s.operands[0]]], s.output());
      for (int k = 0; k < s.arity(); ++k) used[s.operands[k]] = 1;
    }
  }
  return found;
}

}  // namespace detail

constexpr ir::program trim_steps(const ir::program& p) {
  int scans = 0;
  sequence<int> scan_at(p.size());  // number of each scan
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (ir::is_scan(p[i].code)) scan_at[i] = scans++;
  if (scans == 0) return p;
  detail::trimming found = detail::find_trimmed(p, scan_at, scans);
  ir::rewriting all(p);
  all.q.callees.clear();
  return dce(all.run([&](ir::rewriting& r, ir::value_id i) {
    if (!found.used[i]) return ir::no_value;
    ir::statement s = p[i];
    if (ir::is_scan(s.code)) {
      detail::trimmed_step& made = found.steps[found.step_at[i]];
      const sequence<ir::value_id> values = ir::arguments_of(p, s);
      sequence<ir::value_id> reads;
      for (int e : made.inputs) reads.push_back(r.at[values[e]]);
      s.operands[0] = ir::emit_arguments(r.q, reads);
      if (made.number < 0) made.number = ir::callee_number(r.q, made.program);
      s.set_callee(made.number);
      s.set_carried(made.carried);
    } else {
      s = r.renamed(i);
      if (s.code == ir::opcode::result)
        s.set_output(found.steps[found.step_at[p[i].operands[0]]].output_at[s.output()]);
    }
    return r.q.emit(s);
  }));
}

}  // namespace stg::pass
