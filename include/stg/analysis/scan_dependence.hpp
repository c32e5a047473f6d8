// Dependence through the steps of a scan: the questions of dependence.hpp, put to its step until the answer for the
// carried values no longer changes.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/callees.hpp>     // arguments_of
#include <stg/ir/program.hpp>     // program

namespace stg::pass {

constexpr ir::flags depends_on(const ir::program& p, const sequence<ir::value_id>& required);
constexpr ir::flags reached_from(const ir::program& p, const sequence<int>& provided);
constexpr ir::value_id refused_from(const ir::program& p, ir::flags asked, const sequence<ir::value_id>& required);

/// Input statements of a program by their entries; no_value for an unread input.
constexpr sequence<ir::value_id> inputs_by_entry(const ir::program& p) {
  sequence<ir::value_id> at(p.inputs.size(), ir::no_value);
  for (ir::value_id i = p.size() - 1; i >= 0; --i)
    if (p[i].code == ir::opcode::input) at[p[i].entry()] = i;
  return at;
}

namespace detail {

/// The values that get gradients from a gradient of a layer's own, in order: the real ones given to the layer.
constexpr sequence<ir::value_id> given_to(const ir::program& p, ir::value_id own) {
  const sequence<ir::value_id> list = ir::arguments_of(p, p[own]);
  const int of = p[own].callee();
  const int gradients = of < 0 ? list.size() : p.callees[of].outputs.size();
  sequence<ir::value_id> real;
  for (int k = p[own].outputs(); k < list.size() && real.size() < gradients; ++k)
    if (is_differentiable(p[list[k]].type)) real.push_back(list[k]);
  return real;
}
constexpr bool is_given_one_of(const ir::program& p, ir::value_id own, const ir::flags& wanted) {
  for (ir::value_id at : given_to(p, own))
    if (wanted[at]) return true;
  return false;
}
constexpr void reach_given(const ir::program& p, ir::value_id own, ir::flags& reached) {
  for (ir::value_id at : given_to(p, own)) reached[at] = 1;
}

/// Of the step of a scan: inputs that depend on the wanted values, by entry, and outputs that do.
struct dependent_step {
  ir::flags inputs, outputs;
};
/// Follows carried values, too.
constexpr dependent_step depends_in_step(const ir::program& p, const ir::statement& scan, const ir::flags& wanted) {
  const ir::program& step = p.callees[scan.callee()];
  const sequence<ir::value_id> reads = ir::arguments_of(p, scan), input = inputs_by_entry(step);
  const int carried = scan.carried();
  dependent_step of{ir::flags(reads.size(), 0), ir::flags(step.outputs.size(), 0)};
  for (int e = 0; e < reads.size(); ++e) of.inputs[e] = input[e] != ir::no_value && wanted[reads[e]];
  for (bool grows = true; grows;) {
    grows = false;
    sequence<ir::value_id> required;
    for (int e = 0; e < reads.size(); ++e)
      if (of.inputs[e]) required.push_back(input[e]);
    const ir::flags depends = depends_on(step, required);
    for (int k = 0; k < of.outputs.size(); ++k) {
      of.outputs[k] = depends[step.outputs[k].at];
      if (k >= carried || !of.outputs[k] || of.inputs[k] || input[k] == ir::no_value) continue;
      of.inputs[k] = 1;
      grows = true;
    }
  }
  return of;
}
/// Outputs of a scan's step that depend differentiably on the wanted values that the scan reads.
constexpr ir::flags outputs_that_depend(const ir::program& p, const ir::statement& scan, const ir::flags& wanted) {
  const ir::program& step = p.callees[scan.callee()];
  const sequence<ir::value_id> reads = ir::arguments_of(p, scan), input = inputs_by_entry(step);
  ir::flags found = depends_in_step(p, scan, wanted).outputs;
  for (int k = 0; k < scan.carried(); ++k)  // without a step it is the first value
    if (wanted[reads[k]] && input[k] != ir::no_value) found[k] = 1;
  return found;
}

/// Of the step of a scan: the outputs behind the reached results, also by way of carried values, and all values that
/// these outputs depend on.
struct reached_step {
  ir::flags outputs, values;
};
constexpr reached_step reached_in_step(const ir::program& p, ir::value_id scan, const ir::flags& reached) {
  const ir::program& step = p.callees[p[scan].callee()];
  const sequence<ir::value_id> input = inputs_by_entry(step);
  reached_step of{ir::flags(step.outputs.size(), 0), ir::flags(step.size(), 0)};
  for (ir::value_id i = scan + 1; i < p.size(); ++i)
    if (reached[i] && p[i].operands[0] == scan) of.outputs[p[i].output()] = 1;  // a result: nothing else reads a scan
  for (bool grows = true; grows;) {
    grows = false;
    sequence<int> provided;
    for (int k = 0; k < of.outputs.size(); ++k)
      if (of.outputs[k]) provided.push_back(k);
    of.values = reached_from(step, provided);
    for (int k = 0; k < p[scan].carried(); ++k) {
      if (of.outputs[k] || input[k] == ir::no_value || !of.values[input[k]]) continue;
      of.outputs[k] = 1;
      grows = true;
    }
  }
  return of;
}

/// Marks the operands of a scan on which its reached results depend.
constexpr void reach_through_steps(const ir::program& p, ir::value_id scan, ir::flags& reached) {
  const sequence<ir::value_id> reads = ir::arguments_of(p, p[scan]),
                               input = inputs_by_entry(p.callees[p[scan].callee()]);
  const int carried = p[scan].carried();
  const reached_step of = reached_in_step(p, scan, reached);
  for (int e = 0; e < reads.size(); ++e)
    if (input[e] != ir::no_value && (of.values[input[e]] || (e < carried && of.outputs[e]))) reached[reads[e]] = 1;
}

/// Whether a gradient from asked results cannot pass through the steps of a scan to the wanted values.
constexpr bool step_refuses(const ir::program& p, ir::value_id scan, const ir::flags& asked, const ir::flags& wanted) {
  const ir::program& step = p.callees[p[scan].callee()];
  const sequence<ir::value_id> input = inputs_by_entry(step);
  const ir::flags outputs = reached_in_step(p, scan, asked).outputs,
                  inputs = depends_in_step(p, p[scan], wanted).inputs;
  ir::flags from(step.size(), 0);
  for (int k = 0; k < outputs.size(); ++k)
    if (outputs[k] && is_differentiable(step[step.outputs[k].at].type)) from[step.outputs[k].at] = 1;
  sequence<ir::value_id> required;
  for (int e = 0; e < inputs.size(); ++e)
    if (inputs[e]) required.push_back(input[e]);
  return refused_from(step, from, required) != ir::no_value;
}

}  // namespace detail

}  // namespace stg::pass

#include <stg/analysis/dependence.hpp>  // depends_on, reached_from, refused_from: they and the above ask each other
