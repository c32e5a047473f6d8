// save_widths: the types in which saved values lie in memory, settled for the two programs that a joint one is cut
// into.
//
// The forward program writes what the gradient reads, so both must know one type. Runs when save has decided.
#pragma once

#include <stg/base/sequence.hpp>     // sequence
#include <stg/ir/attachments.hpp>    // carry_decisions
#include <stg/ir/decisions.hpp>      // wide_as
#include <stg/ir/program.hpp>        // program
#include <stg/analysis/choices.hpp>  // choices
#include <stg/analysis/widths.hpp>   // widths

namespace stg::pass::detail {

/// Decides the width of each saved value by itself, and of values that are compared, since only the joint program shows
/// all that reads them: so that the two programs agree.
constexpr void settle_widths(ir::program& joint, int forward_outputs, const unsigned char* saved, const choices& by) {
  if (!widths::are_decided(joint)) return;
  const widths asked(joint, forward_outputs, by);
  const auto is_settled = [&](ir::value_id i) { return saved[i] || asked.reason(i) == kept_wide::compared; };
  sequence<ir::decision> settled;
  for (const ir::decision& d : joint.decisions)
    if (d.what != ir::decided::width || !d.is_of_values() || !is_settled(d.at)) settled.push_back(d);
  for (ir::value_id i = 0; i < joint.size(); ++i)
    if (is_settled(i)) settled.push_back(ir::wide_as(i, asked.of(i)));
  joint.decisions.swap(settled);
}
/// The same for the gradient program, in which inputs with such a decision are saved values.
constexpr void carry_widths(const ir::program& joint, ir::program& g, const sequence<ir::value_id>& at,
                            int forward_outputs, const unsigned char* saved, const choices& by) {
  if (!widths::are_decided(joint)) return;
  ir::program settled = joint;
  settle_widths(settled, forward_outputs, saved, by);
  sequence<ir::value_id> there = at;
  for (ir::value_id i = 0; i < joint.size(); ++i)
    if (joint[i].code == ir::opcode::input) there[i] = ir::no_value;
  ir::carry_decisions(settled, g, there, [](const ir::decision& d) { return d.what == ir::decided::width; });
}

}  // namespace stg::pass::detail
