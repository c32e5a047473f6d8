// split_steps: cuts scans whose body asks for it into as many as five, one behind the other.
//
//   edges         work of a step on nothing carried, as far as `hoist` would keep it: aggregates
//   before        and of it products that no edges follow
//   recurrence    work that carried values need
//   behind        work that no carried value needs: heads, and sums over steps
//   per step      of it the work behind a reduction over all vertices, such as a loss for each step
//
// Each part's values for the next are collected, one for each step. Only the recurrence goes from step to step: steps
// of the other parts are independent, so the rows of many steps, if no edges are read, are rows of one product
// (codegen/steps_together.hpp). The gradient mirrors it, since each part is a scan with a gradient of its own.
//
// Runs in the canonical program, behind hoist_steps, inner scans first. A scan whose gradient is a value of the program
// is left as it is: the gradient's step repeats its own.
#pragma once

#include <stg/base/sequence.hpp>             // sequence
#include <stg/ir/callees.hpp>                // arguments_of, emit_arguments, callee_number
#include <stg/ir/program.hpp>                // program
#include <stg/ir/rewriting.hpp>              // rewriting
#include <stg/analysis/choices.hpp>          // choices
#include <stg/analysis/scan_dependence.hpp>  // inputs_by_entry
#include <stg/pass/dce.hpp>                  // dce
#include <stg/pass/scan_gradient.hpp>        // emit_result
#include <stg/pass/scan_parts.hpp>           // scan_cutting

namespace stg::pass {

namespace detail {

/// Writes scans whose steps ask for it in parts. Cut: the replacement of one.
template <class Cut> class step_splitting : ir::rewriting {
 public:
  constexpr step_splitting(const ir::program& of, const Cut& by) : rewriting(of), cut(by), scan_at(of.size(), -1) {}

  constexpr ir::program run() {
    ir::flags is_repeated(p.size(), 0);
    for (const ir::statement& s : p.statements)
      if (s.code == ir::opcode::scan_gradient) is_repeated[s.operands[1]] = 1;
    q.callees.clear();
    return rewriting::run([&](ir::rewriting&, ir::value_id i) {
      ir::statement s = renamed(i);
      if (s.code == ir::opcode::result && scan_at[p[i].operands[0]] >= 0) {
        const written_parts& w = written[scan_at[p[i].operands[0]]];
        const part_output& o = w.outputs[s.output()];
        s.operands[0] = w.scans[o.part];
        s.set_output(o.output);
        return q.emit(s);
      }
      if (!ir::has_callee(s)) return q.emit(s);
      const ir::program& step = p.callees[s.callee()];
      if (s.code == ir::opcode::scan && ir::is_split(step) && !is_repeated[i]) return emit_parts(i, s, step);
      s.set_callee(ir::callee_number(q, step));
      return q.emit(s);
    });
  }

 private:
  struct written_parts {
    sequence<ir::value_id> scans{};
    sequence<part_output> outputs{};
  };

  constexpr ir::value_id emit_parts(ir::value_id i, ir::statement s, const ir::program& step) {
    const sequence<ir::value_id> before = ir::arguments_of(p, p[i]), reads = ir::arguments_of(q, s);
    const sequence<ir::value_id> input = inputs_by_entry(step);
    ir::flags has_each(before.size(), 0);
    for (int e = s.carried(); e < before.size(); ++e)
      has_each[e] = input[e] != ir::no_value && p[before[e]].is_sequence() && !step[input[e]].is_sequence();
    scan_cutting all(step, s.carried(), has_each);
    cut(all);
    written_parts w;
    for (const scan_part& part : all.parts) {
      sequence<ir::value_id> list;
      for (const part_input& in : part.inputs)
        list.push_back(in.entry >= 0 ? reads[in.entry] : emit_result(q, w.scans[in.part], in.output));
      s.operands[0] = ir::emit_arguments(q, list);
      s.set_callee(ir::callee_number(q, part.step));
      s.set_carried(part.carried);
      w.scans.push_back(q.emit(s));
    }
    w.outputs = all.outputs;
    scan_at[i] = written.size();
    written.push_back(w);
    return ir::no_value;  // only its results are read
  }

  const Cut& cut;
  sequence<int> scan_at;  // of a scan written in parts, its number
  sequence<written_parts> written{};
};

/// Whether a program has steps that ask for it, steps within its steps included.
constexpr bool has_splits(const ir::program& p) {
  for (const ir::program& step : p.callees)
    if (ir::is_split(step) || has_splits(step)) return true;
  return false;
}
template <class Cut> constexpr ir::program split_steps_of(const ir::program& p, const Cut& cut) {
  if (!has_splits(p)) return p;
  ir::program q = p;
  for (ir::program& step : q.callees) step = split_steps_of(step, cut);
  return dce(step_splitting<Cut>(q, cut).run());
}

}  // namespace detail

constexpr ir::program split_steps(const ir::program& p, const choices& by = choices()) {
  return detail::split_steps_of(p, [&by](detail::scan_cutting& scan) {
    if (!scan.is_recurrence()) return;
    if (scan.cut_before(by)) scan.cut_behind_edges();
    if (scan.cut_behind(false)) scan.cut_per_step();
  });
}

}  // namespace stg::pass
