// save: decides for every forward value that the gradient needs whether it is saved or recomputed, and cuts the joint
// program in two.
//
//   per-edge values are recomputed: storing them would cost memory in |E|; but not dense products' operands and results
//   values that the forward program stores anyway are saved: they are free
//   cheap chains of per-vertex work on saved values are recomputed, and so are chains that lack only a few numbers per
//   vertex, which are saved in their place; everything else per vertex is saved
//   sources (inputs, structure, random masks) are read or drawn again
//   values promised to be stored are saved, and values promised to be inlined computed again
//   a maximum is compared with its operand, so it is saved only if the operand is, or was an input
//   sums of the gradient that a sweep of the forward program can form are formed there and saved (forward_sweeps.hpp)
//   the lambda's saved, recomputed and keep go before all of it but promises (kept.hpp); results of scans and calls are
//   kept in any case, and the lambda's words hold in their steps
//
// Runs after algebra, when forward and gradient share their common work.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>            // sequence
#include <stg/ir/attachments.hpp>           // carry_labels
#include <stg/ir/program.hpp>               // program
#include <stg/ir/decisions.hpp>             // promises
#include <stg/op/list.hpp>                  // info_of
#include <stg/analysis/forward_sweeps.hpp>  // forward_sweeps
#include <stg/analysis/choices.hpp>         // choices
#include <stg/analysis/effects.hpp>         // may_repeat, forget_messages
#include <stg/analysis/kept.hpp>            // kept_ways
#include <stg/analysis/unit.hpp>            // reads_whole_rows
#include <stg/pass/dce.hpp>                 // dce
#include <stg/pass/save_widths.hpp>         // settle_widths, carry_widths

namespace stg::pass {

/// The source of an input of the gradient program.
enum class connection_kind : int { cotangent, input, saved };

struct connection {
  connection_kind kind{};
  int index = 0;  // cotangent: the output of the forward program it belongs to; input: the entry of its inputs;
                  // saved: the output of the forward program that holds it
  constexpr bool operator==(const connection&) const = default;
};

/// A program, extended with the saved values, its gradient, and their connections. The gradient's inputs begin with the
/// provided cotangents in their order; its outputs are the gradients in the order required. Input statement i of the
/// gradient reads connections[entry].
struct differentiated {
  ir::program forward{};
  ir::program gradient{};
  sequence<connection> connections{};
  int results = 0;  // outputs of forward for the user; the others are saved values
};

/// stored[i]: the forward program keeps value i in memory anyway, because another vertex, a dense product, a reduction
/// or the user reads it.
constexpr ir::flags stored_anyway(const ir::program& p) {
  ir::flags stored(p.statements.size(), 0);
  for (const ir::output& o : p.outputs)  // an edge value is computed again all the same, from rows of vertices
    if (p[o.at].where != ir::space::edge) stored[o.at] = 1;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    const bool whole = reads_whole_rows(p[i]);
    if (whole) stored[i] = 1;
    if (op::info_of(p[i].code).kind != op::category::gather && !whole) continue;
    for (int k = 0; k < p[i].arity(); ++k) stored[p[i].operands[k]] = 1;
  }
  const ir::promises says(p);
  says.each_stored([&](ir::value_id i) { stored[i] = 1; });
  for (ir::value_id i = 0; i < p.size() && says.any_inlined(); ++i)
    if (says.is_inlined(i)) stored[i] = 0;
  // a gather by the owner itself does not store, but only units can tell: storing is the safe answer
  return stored;
}

namespace detail {

class saving {
 public:
  /// read_by_gradient[i]: the gradient reads forward value i. said: how values are to be kept.
  constexpr saving(const ir::program& joint, const ir::flags& stored_anyway, const ir::flags& read_by_gradient,
                   const kept_ways& said, const ir::flags& is_output, bool of_step, const choices& chosen)
      : p(joint),
        says(joint),
        is_step(of_step),
        by(chosen),
        stored(stored_anyway),
        read(read_by_gradient),
        ways(said),
        given_back(is_output),
        decision(joint.statements.size(), undecided) {}

  /// Decides about a forward value that the gradient reads, and about its operands if it is computed again.
  constexpr void need(ir::value_id i) {
    if (decision[i] != undecided) return;
    const ir::statement& s = p[i];
    const op::info& known = op::info_of(s.code);
    decision[i] = recomputed;
    if (known.kind == op::category::source) return;
    if (s.code == ir::opcode::result) {
      decision[i] = kept;
      return;
    }
    if (!may_repeat(s.code)) {
      decision[i] = kept;
      return;
    }
    const bool is_list = known.kind == op::category::call;  // its arguments are decided one by one
    const bool is_name =
        ir::is_view(s) && (s.is_sequence() || p[s.operands[0]].is_sequence() || ways.is_made_again(p, s.operands[0]));
    if (is_list || is_name) {
      for (int k = 0; k < s.arity(); ++k) need(s.operands[k]);
      return;
    }
    if (known.compares) {
      need(s.operands[0]);
      if (says.is_stored(i) || ways.is_saved(p, i)) save_as_well(s.operands[0]);
      if (!is_as_it_was(s.operands[0])) return;
    }
    if (says.is_stored(i) || (!is_inlined_chain(i) && is_to_be_kept(i))) {
      decision[i] = kept;
      return;
    }
    for (int k = 0; k < s.arity(); ++k) need(s.operands[k]);
  }

  /// Whether a compared operand keeps its bits: if it is computed again, perhaps with a different rounding (a product
  /// that is added at once has none), so is the result.
  constexpr bool is_as_it_was(ir::value_id i) const {
    while (ir::is_view(p[i]) && !saved(i)) i = p[i].operands[0];
    return saved(i) || op::info_of(p[i].code).kind == op::category::source;
  }
  constexpr bool saved(ir::value_id i) const { return decision[i] == kept; }

 private:
  static constexpr unsigned char undecided = 0, recomputed = 1, kept = 2;

  constexpr bool is_to_be_kept(ir::value_id i) const {
    const ir::statement& s = p[i];
    if (ways.of(i) != keeping::chosen) return ways.is_saved(p, i) || (given_back[i] && ways.of(i) == keeping::results);
    return s.where == ir::space::graph || stored[i] || (s.where == ir::space::vertex && !(is_chain(i) && cheap(i)));
  }
  /// Saves the compared operand of a saved maximum, and the operands of maxima below it. If one of them is to be
  /// computed again, none is saved, and the maximum is computed again, too.
  constexpr void save_as_well(ir::value_id i) {
    sequence<ir::value_id> along;
    for (; !is_as_it_was(i); i = p[i].operands[0]) {
      if (ir::is_view(p[i])) continue;
      if (ways.is_made_again(p, i) || is_inlined_chain(i)) return;
      along.push_back(i);
      if (!op::info_of(p[i].code).compares) break;
    }
    for (const ir::value_id k : along) decision[k] = kept;
  }
  constexpr bool is_inlined_chain(ir::value_id i) const {
    return says.is_inlined(i) && p[i].where == ir::space::vertex && is_chain(i);
  }
  constexpr bool is_chain(ir::value_id i) const {
    const op::category kind = op::info_of(p[i].code).kind;
    return kind == op::category::pointwise || kind == op::category::feature || is_widening_product(i);
  }

  /// A chain that ends in stored values, sources and a few numbers, and costs little.
  constexpr bool cheap(ir::value_id i) const {
    int budget = by.recomputed_cost;
    return affordable(i, budget, !is_few(i), i);
  }
  /// Of a step, half as many numbers as `of` has: saved values are kept for every step.
  constexpr bool is_half(ir::value_id i, ir::value_id of) const {
    return is_step && p[i].dims.is_static() && p[of].dims.is_static() && 2 * p[i].dims.size() <= p[of].dims.size();
  }
  constexpr bool is_few(const ir::statement& s) const { return s.dims.is_static() && s.dims.size() <= by.few_numbers; }
  constexpr bool is_few(ir::value_id i) const { return is_few(p[i]); }
  /// Of a step, a product of rows half as wide at most: it is made again of these.
  constexpr bool is_widening_product(ir::value_id i) const {
    return p[i].code == ir::opcode::matmul && p[i].where == ir::space::vertex && is_half(p[i].operands[0], i);
  }
  /// `wide`: of a value in whose place a few numbers may be saved: for_value.
  constexpr bool affordable(ir::value_id i, int& budget, bool wide, ir::value_id for_value) const {
    const ir::statement& s = p[i];
    const op::info& known = op::info_of(s.code);
    if (known.kind == op::category::source) return true;
    const bool is_made_again = ways.is_made_again(p, i);
    if (!is_made_again && (is_saved_anyway(i) || s.where == ir::space::graph)) return true;
    const int before = budget;
    budget -= known.cost;
    bool all = is_chain(i) && budget >= 0;
    for (int k = 0; k < s.arity(); ++k) all = all && affordable(s.operands[k], budget, wide, for_value);
    if (all) return true;
    budget = before;
    return wide && !is_made_again && (is_few(s) || is_half(i, for_value));
  }
  /// The forward program stores it, or the gradient reads it and it cannot be recomputed.
  constexpr bool is_saved_anyway(ir::value_id i) const {
    const op::category kind = op::info_of(p[i].code).kind;
    return stored[i] || ways.is_saved(p, i) || (is_step && saved(i)) || (kind == op::category::aggregate && read[i]);
  }

  const ir::program& p;
  ir::promises says;
  bool is_step;
  const choices& by;
  const ir::flags& stored;
  const ir::flags& read;
  const kept_ways& ways;
  const ir::flags& given_back;  // outputs of the forward program; they are in memory when the gradient runs
  ir::flags decision;
};

/// Of a program cut out of a joint one, takes out the messages of the gradient.
constexpr void leave_messages_to_gradient(ir::program& head) {
  const int gradients = gradients_of_messages(head);
  if (gradients > 0)
    forget_messages(head, [&](const ir::statement& s) { return is_message_of_gradient(s, gradients); });
}

/// The values of a joint program that the forward program saves for the gradient.
class saved_finder {
 public:
  constexpr saved_finder(const ir::program& of, int outputs, int first_given, bool of_step, const choices& chosen)
      : joint(of),
        is_step(of_step),
        by(chosen),
        forward_outputs(outputs),
        first_cotangent(first_given),
        used(reachable(of)),
        wanted(joint.statements.size(), 0) {}

  constexpr ir::flags run() {
    find_forward();
    find_wanted();
    const kept_ways said(joint, forward);
    ir::flags is_output(joint.size(), 0);
    for (int k = 0; k < forward_outputs && !is_step; ++k) is_output[joint.outputs[k].at] = 1;
    saving choice(joint, stored, wanted, said, is_output, is_step, by);
    for (ir::value_id i = 0; i < joint.size(); ++i)
      if (wanted[i]) choice.need(i);
    ir::flags saved(joint.statements.size(), 0);
    for (ir::value_id i = 0; i < joint.size(); ++i) saved[i] = choice.saved(i);
    return saved;
  }

 private:
  /// The forward program's values, and the ones in memory anyway.
  constexpr void find_forward() {
    ir::program head = joint;  // the forward program by itself, to see its stored values
    head.outputs.resize(forward_outputs);
    leave_messages_to_gradient(head);
    forward_sweeps sweeps(joint, forward_outputs, first_cotangent);
    for (ir::value_id i = 0; i < joint.size(); ++i)
      if (used[i] && (sweeps.can_compute(i) || is_collected(i, sweeps))) head.outputs.push_back(ir::output{i, {}});
    forward = reachable(head);
    for (int i = 0; i < forward.size(); ++i)
      if (!forward[i]) head.statements[i] = ir::statement();  // not the forward program's: stores nothing
    if (is_step) stored.assign(head.size(), 0);
    else stored = stored_anyway(head);
  }

  /// Whether a scan of the forward program collects this result for the gradient.
  constexpr bool is_collected(ir::value_id i, const forward_sweeps& sweeps) const {
    return joint[i].code == ir::opcode::result && !sweeps.needs_cotangent(i);
  }

  constexpr void find_wanted() {
    for (ir::value_id i = 0; i < joint.size(); ++i) {
      if (!used[i] || forward[i]) continue;
      for (int k = 0; k < joint[i].arity(); ++k) want(joint[i].operands[k]);
    }
    for (int k = forward_outputs; k < joint.outputs.size(); ++k) want(joint.outputs[k].at);
  }
  constexpr void want(ir::value_id i) { wanted[i] = forward[i]; }

  const ir::program& joint;
  bool is_step;
  const choices& by;
  int forward_outputs;
  int first_cotangent;
  ir::flags used;  // by an output
  ir::flags forward{}, stored{};
  ir::flags wanted;  // forward values that the gradient reads
};

/// Values of a joint program that its gradient program reads from outside: its inputs. First the cotangents, then saved
/// values and the forward program's inputs.
struct gradient_inputs {
  constexpr gradient_inputs(const ir::program& joint, int forward_outputs, const sequence<int>& provided,
                            int first_cotangent, const unsigned char* saved)
      : used(reachable(joint)), entry(joint.size(), -1) {
    sequence<int> entry_of_input(joint.inputs.size(), -1);
    for (int k = 0; k < provided.size(); ++k)
      entry_of_input[first_cotangent + k] =
          connect({connection_kind::cotangent, provided[k]}, joint.inputs[first_cotangent + k]);
    int next_saved = forward_outputs;  // output of the forward program for the next saved value
    for (ir::value_id i = 0; i < joint.size(); ++i) {
      const ir::statement& s = joint[i];
      if (saved[i]) {
        entry[i] = connect({connection_kind::saved, next_saved++}, ir::input());
      } else if (s.code == ir::opcode::input && used[i]) {
        const int from = s.entry();
        int& known = entry_of_input[from];
        if (known < 0) known = connect({connection_kind::input, from}, joint.inputs[from]);
        entry[i] = known;
      }
    }
  }

  ir::flags used;       // statements of the joint program, by an output
  sequence<int> entry;  // of each statement of the joint program: the gradient's input for it, or -1
  sequence<ir::input> inputs{};
  sequence<connection> connections{};

 private:
  constexpr int connect(connection c, const ir::input& in) {
    connections.push_back(c);
    inputs.push_back(in);
    return connections.size() - 1;
  }
};

}  // namespace detail

/// The saved values of a joint program. forward_outputs of its outputs are the forward program's; the cotangents are
/// its inputs from position `first_cotangent` on. Of the step of a scan nothing is saved for free: its memory makes
/// room for the next step, while saved values are kept for each.
constexpr ir::flags saved_values(const ir::program& joint, int forward_outputs, int first_cotangent,
                                 bool is_step = false, const choices& by = choices()) {
  return detail::saved_finder(joint, forward_outputs, first_cotangent, is_step, by).run();
}

/// The forward program of a joint one, with saved values as further outputs.
constexpr ir::program forward_part(const ir::program& joint, int forward_outputs, const unsigned char* saved,
                                   const choices& by = choices()) {
  ir::program head = joint;
  detail::settle_widths(head, forward_outputs, saved, by);
  head.outputs.resize(forward_outputs);
  detail::leave_messages_to_gradient(head);
  for (ir::value_id i = 0; i < joint.size(); ++i)
    if (saved[i]) head.outputs.push_back(ir::output{i, {}});
  return dce(head);
}

/// The gradient program. `provided` names the outputs with the joint program's cotangents.
constexpr ir::program gradient_part(const ir::program& joint, int forward_outputs, const sequence<int>& provided,
                                    int first_cotangent, const unsigned char* saved, const choices& by = choices()) {
  const detail::gradient_inputs read(joint, forward_outputs, provided, first_cotangent, saved);
  ir::program g;
  g.reserve(joint.size());
  g.inputs = read.inputs;
  g.extents = joint.extents;
  ir::take_scopes(g, joint);
  g.kinds = joint.kinds;
  g.callees = joint.callees;
  sequence<ir::value_id> at(joint.statements.size(), ir::no_value);  // in the gradient program
  const int gradients = gradients_of_messages(joint);
  for (ir::value_id i = 0; i < joint.size(); ++i) {
    const ir::statement& s = joint[i];
    if (read.entry[i] >= 0) {
      at[i] = g.emit(ir::input_like(s, read.entry[i]));
      continue;
    }
    if (is_message_of_program(s, gradients)) continue;
    if (read.used[i]) at[i] = g.emit(ir::renamed(s, at));  // and so are its operands
  }
  ir::carry_tags(joint, g, at);
  ir::carry_decisions(joint, g, at, [](const ir::decision& d) {  // the forward program stores and saves
    return d.what == ir::decided::inlined || d.what == ir::decided::apart;
  });
  detail::carry_widths(joint, g, at, forward_outputs, saved, by);
  for (int k = forward_outputs; k < joint.outputs.size(); ++k) {
    ir::output o = joint.outputs[k];
    o.at = at[o.at];
    g.outputs.push_back(o);
  }
  return dce(g);
}

/// The sources of the gradient program's inputs.
constexpr sequence<connection> connections_of(const ir::program& joint, int forward_outputs,
                                              const sequence<int>& provided, int first_cotangent,
                                              const unsigned char* saved) {
  return detail::gradient_inputs(joint, forward_outputs, provided, first_cotangent, saved).connections;
}

/// Cuts a joint program: all of the above.
constexpr differentiated split(const ir::program& joint, int forward_outputs, const sequence<int>& provided,
                               int first_cotangent) {
  const ir::flags saved = saved_values(joint, forward_outputs, first_cotangent);
  differentiated d;
  d.results = forward_outputs;
  d.forward = forward_part(joint, forward_outputs, saved.first);
  d.gradient = gradient_part(joint, forward_outputs, provided, first_cotangent, saved.first);
  d.connections = connections_of(joint, forward_outputs, provided, first_cotangent, saved.first);
  return d;
}

}  // namespace stg::pass
