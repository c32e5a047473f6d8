// effects: what a pass may do to a statement, by the effect of its operation.
//
//              may be      dropped   merged   moved   repeated   kept for the next call
//   none                   yes       yes      yes     yes        yes
//   random                 yes       yes      yes     yes        no
//   ordered                no        no       no      no         no
//
// A random number is told by its site: equal statements draw equal numbers, as often as they are computed. A statement
// with an ordered effect has the one before it as its last operand, so whatever follows the data keeps their order, and
// no two are equal. Passes that look for values nobody needs take them for outputs (ir::each_output).
#pragma once

#include <stg/ir/fields.hpp>   // is_message
#include <stg/ir/program.hpp>  // program
#include <stg/op/list.hpp>     // info_of

namespace stg::pass {

/// Whether a statement stays, once and in its place, even if nothing reads it.
constexpr bool is_ordered(ir::opcode code) { return op::info_of(code).effects == op::effect::ordered; }

/// Whether a statement may be computed again in place of being stored.
constexpr bool may_repeat(ir::opcode code) { return !is_ordered(code); }
/// Whether its value may be kept for calls with the same inputs.
constexpr bool may_keep(ir::opcode code) { return op::info_of(code).effects == op::effect::none; }

/// Of a program with its gradient: how often the gradient's own messages are gradients; those of the program itself are
/// so less often. 0: it has none.
constexpr int gradients_of_messages(const ir::program& joint) {
  int most = 0;
  ir::each_message(joint.statements.first, joint.size(), [&](ir::value_id i) {
    if (joint[i].gradients() > most) most = joint[i].gradients();
  });
  return most;
}
/// Whether a statement is a message of the gradient of such a program.
constexpr bool is_message_of_gradient(const ir::statement& s, int gradients) {
  return ir::is_message(s.code) && gradients > 0 && s.gradients() == gradients;
}
constexpr bool is_message_of_program(const ir::statement& s, int gradients) {
  return ir::is_message(s.code) && !is_message_of_gradient(s, gradients);
}

/// Whether a statement is a message of real numbers: its gradient is a message too, whether or not this rank needs it.
constexpr bool is_answered(const ir::program& p, const ir::statement& s) {
  return ir::is_message(s.code) && is_differentiable(s.code == ir::opcode::send ? p.operand(s, 0).type : s.type);
}
/// Whether its gradient gives a value on this rank one, which other ranks may have use for.
constexpr bool is_sent_and_answered(const ir::program& p, const ir::statement& s) {
  return s.arity() == 2 && is_answered(p, s);
}

/// Takes messages out of a part of a program that another part has: is_others(statement). Nothing of the part reads
/// them.
template <class IsOthers> constexpr void forget_messages(ir::program& p, const IsOthers& is_others) {
  for (ir::statement& s : p.statements)
    if (ir::is_message(s.code) && is_others(s)) s = ir::statement();
}

}  // namespace stg::pass
