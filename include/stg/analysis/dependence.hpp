// Differentiable dependence: the values that a gradient passes through from required to provided values, and the places
// that it would have to pass and cannot.
#pragma once

#include <stg/base/sequence.hpp>             // sequence
#include <stg/ir/program.hpp>                // program
#include <stg/op/list.hpp>                   // info_of
#include <stg/analysis/effects.hpp>          // is_answered, is_sent_and_answered
#include <stg/analysis/scan_dependence.hpp>  // inputs_by_entry, outputs_that_depend, reach_through_steps, step_refuses

namespace stg::pass {

/// Inputs that training changes: by default, gradients are made for these.
constexpr sequence<ir::value_id> trainable_inputs(const ir::program& p) {
  sequence<ir::value_id> found;
  for (ir::value_id i = 0; i < p.size(); ++i)
    if (p[i].code == ir::opcode::input && p.inputs[p[i].entry()].trainable) found.push_back(i);
  return found;
}

/// The inputs of these entries, in their order.
constexpr sequence<ir::value_id> inputs_at(const ir::program& p, const sequence<int>& entries) {
  const sequence<ir::value_id> at = inputs_by_entry(p);
  sequence<ir::value_id> found;
  for (int e : entries)
    if (at[e] != ir::no_value) found.push_back(at[e]);
  return found;
}

/// Values on a differentiable path from a required one: all others get no gradient.
constexpr ir::flags depends_on(const ir::program& p, const sequence<ir::value_id>& required) {
  ir::flags wanted(p.statements.size(), false);
  sequence<ir::flags> of_steps;
  sequence<int> slot;
  for (ir::value_id r : required) wanted[r] = true;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const op::info& known = op::info_of(p[i].code);
    const bool is_own = p[i].code == ir::opcode::own_gradient;
    if (ir::is_scan(p[i].code) || is_own) {
      if (slot.empty()) slot.assign(p.size(), -1);
      slot[i] = of_steps.size();
      if (is_own) {
        wanted[i] = detail::is_given_one_of(p, i, wanted);
        of_steps.push_back(ir::flags(p[i].outputs(), wanted[i]));
      } else {
        of_steps.push_back(detail::outputs_that_depend(p, p[i], wanted));
      }
    } else if (p[i].code == ir::opcode::result) {
      wanted[i] = wanted[i] || (is_differentiable(p[i].type) && of_steps[slot[p[i].operands[0]]][p[i].output()]);
      continue;
    }
    if (!known.differentiable || !is_differentiable(p[i].type)) continue;
    if (is_answered(p, p[i])) wanted[i] = true;  // the other rank's values
    for (int k = 0; k < p[i].arity(); ++k)
      if (!(known.passive_operands >> k & 1) && wanted[p[i].operands[k]]) wanted[i] = true;
  }
  return wanted;
}

/// Seen from the other end: the values on which one of these outputs depends differentiably.
constexpr ir::flags reached_from(const ir::program& p, const sequence<int>& provided) {
  ir::flags reached(p.statements.size(), false);
  for (int k : provided) reached[p.outputs[k].at] = true;
  for (ir::value_id i = p.size() - 1; i >= 0; --i) {
    const op::info& known = op::info_of(p[i].code);
    if (ir::is_scan(p[i].code)) detail::reach_through_steps(p, i, reached);
    if (p[i].code == ir::opcode::result && reached[i] && p.operand(p[i], 0).code == ir::opcode::own_gradient)
      detail::reach_given(p, p[i].operands[0], reached);
    if (known.kind == op::category::call) continue;
    if (is_sent_and_answered(p, p[i])) reached[p[i].operands[0]] = true;
    if (!reached[i] || !known.differentiable || !is_differentiable(p[i].type)) continue;
    for (int k = 0; k < p[i].arity(); ++k)
      if (!(known.passive_operands >> k & 1)) reached[p[i].operands[k]] = true;
  }
  return reached;
}

/// The last statement through which a gradient from one of `asked` would have to pass and cannot, or no_value.
constexpr ir::value_id refused_from(const ir::program& p, ir::flags asked, const sequence<ir::value_id>& required) {
  bool any = false;
  for (const ir::statement& s : p.statements)
    any = any || op::info_of(s.code).refused_operands != 0 || ir::is_scan(s.code) || s.code == ir::opcode::own_gradient;
  if (!any) return ir::no_value;
  const ir::flags wanted = depends_on(p, required);
  for (ir::value_id i = p.size() - 1; i >= 0; --i) {
    const op::info& known = op::info_of(p[i].code);
    if (is_sent_and_answered(p, p[i])) asked[p[i].operands[0]] = true;
    if (!asked[i] || !is_differentiable(p[i].type))
      continue;  // through an integer no gradient passes: nothing is asked
    if (ir::is_scan(p[i].code) && detail::step_refuses(p, i, asked, wanted)) return i;
    if (p[i].code == ir::opcode::own_gradient) {
      if (p[i].callee() < 0 && detail::is_given_one_of(p, i, wanted)) return i;
      detail::reach_given(p, i, asked);
    }
    for (int k = 0; k < p[i].arity(); ++k) {
      const auto operand = p[i].operands[k];
      if ((known.refused_operands >> k & 1) && wanted[operand]) return i;
      if (known.differentiable && !(known.passive_operands >> k & 1)) asked[operand] = true;
    }
  }
  return ir::no_value;
}
/// The last such statement for the outputs at positions `provided`.
constexpr ir::value_id refused_by(const ir::program& p, const sequence<int>& provided,
                                  const sequence<ir::value_id>& required) {
  ir::flags asked(p.statements.size(), false);
  for (int k : provided) asked[p.outputs[k].at] = true;
  return refused_from(p, asked, required);
}

}  // namespace stg::pass
