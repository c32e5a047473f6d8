// save_steps: decides which values the steps of a scan save for the scan of its gradient, as save does for a whole
// program, and cuts the step of the gradient, which until now makes everything anew, in two.
//
// The forward scan collects saved values, one for each step. Of a call they include sums that its sweeps form for the
// gradient on their way, as in a whole program (factor.hpp). Steps whose own scans would have to save values for each
// of their steps are run again instead. So are all steps except one gradient's, if a scan has several. Runs last of all
// passes that see a program and its gradient in one; afterwards no scan knows of another.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>       // sequence
#include <stg/ir/callees.hpp>          // arguments_of, emit_arguments, callee_number
#include <stg/ir/program.hpp>          // program
#include <stg/ir/rewriting.hpp>        // rewriting
#include <stg/analysis/choices.hpp>    // choices
#include <stg/pass/dce.hpp>            // dce
#include <stg/pass/factor.hpp>         // factor_early
#include <stg/pass/order.hpp>          // reorder
#include <stg/pass/save.hpp>           // saved_values, forward_part, gradient_part
#include <stg/pass/scan_gradient.hpp>  // emit_result, made_alone

namespace stg::pass {

namespace detail {

/// The step of a gradient, cut: the new forward step, the rest, and the sources of the rest's inputs.
struct split_step {
  bool is_made = false;
  int kept = 0;  // outputs of the forward step before its saved ones
  ir::program forward{}, gradient{};
  int forward_number = -1, gradient_number = -1;  // among the new program's steps
  sequence<connection> connections{};
};

/// A saved value of a call that is also a result of it becomes this result.
constexpr void give_once(split_step& made) {
  sequence<int> result;  // by output as it was
  sequence<ir::output> outputs;
  for (const ir::output& o : made.forward.outputs) {
    int k = 0;
    while (k < outputs.size() && outputs[k].at != o.at) ++k;
    if (result.size() < made.kept) k = outputs.size();
    result.push_back(k);
    if (k == outputs.size()) outputs.push_back(o);
  }
  made.forward.outputs = outputs;
  for (connection& c : made.connections)
    if (c.kind == connection_kind::saved) c.index = result[c.index];
}

/// joint: the step of a gradient, with carried inputs first. forward: the step that it was made for.
constexpr split_step split_of(const ir::program& joint, const ir::statement& scan, const ir::program& forward,
                              const choices& by) {
  const int carried = scan.carried();
  split_step made;
  made.kept = forward.outputs.size();
  const int results = joint.forward_outputs, read = forward.inputs.size();
  const int others = joint.inputs.size() - read;  // cotangents and sums
  ir::program p = joint;                          // with the forward step's inputs and outputs in front
  p.forward_outputs = 0;
  p.inputs.clear();
  p.outputs.clear();
  for (int e = 0; e < read; ++e) p.inputs.push_back(joint.inputs[carried + e]);
  for (int e = 0; e < others; ++e) p.inputs.push_back(joint.inputs[e < carried ? e : e + read]);
  for (ir::statement& s : p.statements) {
    if (s.code != ir::opcode::input) continue;
    if (s.entry() < carried) s.set_entry(s.entry() + read);
    else if (s.entry() < carried + read) s.set_entry(s.entry() - carried);
  }
  for (int k = joint.outputs.size() - results; k < joint.outputs.size(); ++k) p.outputs.push_back(joint.outputs[k]);
  const sequence<ir::value_id> input = inputs_by_entry(p);
  for (int k = results; k < made.kept; ++k) {  // its steps' initial values
    const ir::statement& begun = forward[forward.outputs[k].at];
    const ir::value_id at = begun.code == ir::opcode::input ? input[begun.entry()] : ir::no_value;
    if (at == ir::no_value) return made;
    p.outputs.push_back(ir::output{at, {}});
  }
  for (int k = 0; k < joint.outputs.size() - results; ++k) p.outputs.push_back(joint.outputs[k]);
  if (ir::is_call(scan)) p = reorder(factor_early(p, made.kept, read, by));

  const ir::flags saved = saved_values(p, made.kept, read, !ir::is_call(scan), by);
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (saved[i] && p[i].is_sequence()) return made;
  sequence<int> cotangents;
  for (int e = 0; e < others; ++e) cotangents.push_back(e);
  made.forward = forward_part(p, made.kept, saved.first);
  made.forward.inputs.resize(read);
  made.gradient = gradient_part(p, made.kept, cotangents, read, saved.first);
  made.connections = connections_of(p, made.kept, cotangents, read, saved.first);
  if (ir::is_call(scan)) give_once(made);
  made.is_made = true;
  return made;
}

class step_saving : ir::rewriting {
  struct cut_steps {
    std::int64_t gradient = 0, forward = 0;
    bool is_call = false;
    constexpr bool operator==(const cut_steps&) const = default;
  };

 public:
  constexpr step_saving(const ir::program& of, const choices& chosen, ir::value_id first_cut)
      : rewriting(of), by(chosen), first(first_cut), step_of(p.size(), -1), split_at(p.size(), -1) {}

  constexpr ir::program run() {
    choose();
    return dce(rewriting::run([this](ir::rewriting&, ir::value_id i) {
      ir::statement s = renamed(i);
      if (s.code == ir::opcode::scan_gradient && i >= first) return emit_gradient(i, s);
      if (step_of[i] >= 0) {
        split_step& made = splits[step_of[i]];
        s.set_callee(numbered(made.forward_number, made.forward));
      }
      return q.emit(s);
    }));
  }

 private:
  constexpr void choose() {
    for (ir::value_id i = first; i < p.size(); ++i) {
      const ir::statement& s = p[i];
      if (s.code != ir::opcode::scan_gradient) continue;
      const ir::statement& forward = p[s.operands[1]];
      if (forward.code != ir::opcode::scan || step_of[s.operands[1]] >= 0) continue;
      const int split = split_for(s, forward);
      if (splits[split].is_made) step_of[s.operands[1]] = split_at[i] = split;
    }
  }
  /// Equal calls are cut once.
  constexpr int split_for(const ir::statement& scan, const ir::statement& forward) {
    const cut_steps both{scan.callee(), forward.callee(), ir::is_call(scan)};
    for (int k = 0; k < cut.size(); ++k)
      if (cut[k] == both && both.is_call) return k;
    cut.push_back(both);
    splits.push_back(split_of(p.callees[scan.callee()], scan, p.callees[forward.callee()], by));
    return splits.size() - 1;
  }
  constexpr ir::value_id emit_gradient(ir::value_id i, ir::statement s) {
    if (split_at[i] < 0) return q.emit(made_alone(q, s, p.callees[s.callee()]));
    const ir::value_id forward = s.operands[1];
    const sequence<ir::value_id> reads = ir::arguments_of(q, s);
    s.code = ir::opcode::scan;
    s.operands[1] = ir::no_value;
    split_step& made = splits[split_at[i]];
    const int carried = s.carried(), read = p.callees[p[p[i].operands[1]].callee()].inputs.size();
    sequence<ir::value_id> list;
    for (const connection& c : made.connections) {
      if (c.kind == connection_kind::cotangent) list.push_back(reads[c.index < carried ? c.index : c.index + read]);
      else if (c.kind == connection_kind::input) list.push_back(reads[carried + c.index]);
      else list.push_back(emit_result(q, forward, c.index));
    }
    s.operands[0] = ir::emit_arguments(q, list);
    s.set_callee(numbered(made.gradient_number, made.gradient));
    return q.emit(s);
  }
  /// The number of a step, looked for once.
  constexpr int numbered(int& number, const ir::program& step) {
    if (number < 0) number = ir::callee_number(q, step);
    return number;
  }

  const choices& by;
  ir::value_id first;      // scans of gradients before it are left
  sequence<int> step_of;   // of a forward scan: the split of its step; -1: none
  sequence<int> split_at;  // of a scan of a gradient
  sequence<split_step> splits{};
  sequence<cut_steps> cut{};  // of each split, the cut steps
};

}  // namespace detail

/// Steps first: the values saved by their scans are then known. Scans of gradients before `first` stay as they are:
/// they are values of a program, beside its gradient's.
constexpr ir::program save_steps(const ir::program& p, const choices& by = choices(), ir::value_id first = 0) {
  if (p.callees.empty()) return p;
  ir::program q = p;
  for (ir::program& step : q.callees) step = save_steps(step, by);
  bool any = false;
  for (ir::value_id i = first; i < q.size(); ++i) any = any || q[i].code == ir::opcode::scan_gradient;
  if (!any) return q;
  return detail::step_saving(q, by, first).run();
}

}  // namespace stg::pass
