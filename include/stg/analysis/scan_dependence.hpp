// What depends on what through the steps of a scan: the questions of dependence.hpp, asked of its step as often as what
// is carried from one to the next asks for.
#pragma once

#include <stg/base/sequence.hpp>  // sequence
#include <stg/ir/program.hpp>     // program

namespace stg::pass {

constexpr ir::flags depends_on(const ir::program& p, const sequence<ir::value_id>& required);
constexpr ir::flags reached_from(const ir::program& p, const sequence<int>& provided);
constexpr ir::value_id refused_from(const ir::program& p, ir::flags asked, const sequence<ir::value_id>& required);

/// Input statements of a program by their entries; no_value where nothing reads one.
constexpr sequence<ir::value_id> inputs_by_entry(const ir::program& p) {
  sequence<ir::value_id> at(p.inputs.size(), ir::no_value);
  for (ir::value_id i = p.size() - 1; i >= 0; --i)
    if (p[i].code == ir::opcode::input) at[p[i].entry()] = i;
  return at;
}

namespace detail {

/// The values of which a gradient of its own gives the gradients, in their order: real ones that the layer was given.
constexpr sequence<ir::value_id> given_to(const ir::program& p, ir::value_id own) {
  const sequence<ir::value_id> list = ir::arguments_of(p, p[own]);
  const int of = p[own].callee();
  const int gradients = of < 0 ? list.size() : p.callees[of].outputs.size();
  sequence<ir::value_id> real;
  for (int k = static_cast<int>(p[own].number); k < list.size() && real.size() < gradients; ++k)
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

/// Of a scan, the outputs of its step that depend differentiably on what it reads of these values, by way of what is
/// carried, too.
constexpr ir::flags outputs_that_depend(const ir::program& p, const ir::statement& scan, const ir::flags& wanted) {
  const ir::program& step = p.callees[scan.callee()];
  const sequence<ir::value_id> reads = ir::arguments_of(p, scan), input = inputs_by_entry(step);
  const int carried = static_cast<int>(scan.number);
  ir::flags asked(reads.size(), 0), found(step.outputs.size(), 0);
  for (int e = 0; e < reads.size(); ++e) asked[e] = input[e] != ir::no_value && wanted[reads[e]];
  for (bool grows = true; grows;) {
    grows = false;
    sequence<ir::value_id> required;
    for (int e = 0; e < reads.size(); ++e)
      if (asked[e]) required.push_back(input[e]);
    const ir::flags depends = depends_on(step, required);
    for (int k = 0; k < found.size(); ++k) {
      found[k] = depends[step.outputs[k].at];
      if (k >= carried || !found[k] || asked[k] || input[k] == ir::no_value) continue;
      asked[k] = 1;
      grows = true;
    }
  }
  for (int k = 0; k < carried; ++k)  // without a step it is the first value
    if (wanted[reads[k]] && input[k] != ir::no_value) found[k] = 1;
  return found;
}

/// What a scan reads, and its results that are reached depend on.
constexpr void reach_through_steps(const ir::program& p, ir::value_id scan, ir::flags& reached) {
  const ir::program& step = p.callees[p[scan].callee()];
  const sequence<ir::value_id> reads = ir::arguments_of(p, p[scan]), input = inputs_by_entry(step);
  const int carried = static_cast<int>(p[scan].number);
  ir::flags from(step.outputs.size(), 0), found(step.size(), 0);
  for (ir::value_id i = scan + 1; i < p.size(); ++i)
    if (reached[i] && p[i].operands[0] == scan) from[p[i].output()] = 1;  // a result: nothing else reads a scan
  for (bool grows = true; grows;) {
    grows = false;
    sequence<int> provided;
    for (int k = 0; k < from.size(); ++k)
      if (from[k]) provided.push_back(k);
    found = reached_from(step, provided);
    for (int k = 0; k < carried; ++k) {
      if (from[k] || input[k] == ir::no_value || !found[input[k]]) continue;
      from[k] = 1;
      grows = true;
    }
  }
  for (int e = 0; e < reads.size(); ++e)
    if (input[e] != ir::no_value && (found[input[e]] || (e < carried && from[e]))) reached[reads[e]] = 1;
}

/// Whether a gradient that goes through the steps of a scan cannot, whichever of their results it comes from.
constexpr bool step_refuses(const ir::program& p, ir::value_id scan, const ir::flags& wanted) {
  const ir::program& step = p.callees[p[scan].callee()];
  const sequence<ir::value_id> reads = ir::arguments_of(p, p[scan]);
  ir::flags asked(step.size(), false);
  for (int k = 0; k < step.outputs.size() - step.forward_outputs; ++k)
    if (is_differentiable(step[step.outputs[k].at].type)) asked[step.outputs[k].at] = true;
  sequence<ir::value_id> required;
  const int carried = static_cast<int>(p[scan].number);
  for (ir::value_id i = 0; i < step.size(); ++i)
    if (step[i].code == ir::opcode::input && (step[i].entry() < carried || wanted[reads[step[i].entry()]]))
      required.push_back(i);
  return refused_from(step, asked, required) != ir::no_value;
}

}  // namespace detail

}  // namespace stg::pass
