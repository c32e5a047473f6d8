// The gradient of a scan is a scan again, from its last step to the first.
//
// Its step is the original step, written once more, with the gradient behind it: it reads the carried value that each
// step began with, collected by the forward scan, and makes the rest anew. So it is a program like any other, and can
// be differentiated; save_steps.hpp decides later what is saved instead. The cotangents of carried values are carried,
// and so are the sums of the gradients of values that are the same at every step; a value for each step has a gradient
// for each step. Of a call, which is one step, nothing is carried, and no sum.
#pragma once

#include <stg/base/sequence.hpp>        // sequence
#include <stg/ir/callees.hpp>           // arguments_of, emit_arguments, callee_number
#include <stg/ir/program.hpp>           // program
#include <stg/analysis/dependence.hpp>  // depends_on, inputs_by_entry, reached_from
#include <stg/pass/dce.hpp>             // dce
#include <stg/pass/value.hpp>           // value, constant, broadcast

namespace stg::pass {

/// A scan and its gradient: of each input of the scan's step, by entry, the value of its gradient; no_value: it has
/// none.
struct scan_gradients {
  ir::value_id scan = ir::no_value;
  sequence<ir::value_id> of{};
};

constexpr void differentiate(ir::program& q, const ir::flags& wanted, sequence<ir::value_id>& gradients,
                             sequence<scan_gradients>* found = nullptr);

/// A further input of a program, of the kind of a given value.
constexpr ir::value_id emit_input(ir::program& p, const ir::statement& like, ir::extent over) {
  ir::statement s = ir::input_like(like, p.inputs.size());
  s.over = over;
  s.scopes = 0;  // those of `like` are another program's
  p.inputs.push_back(ir::input());
  return p.emit(s);
}

/// A result of a scan: output k of its step.
constexpr ir::value_id emit_result(ir::program& p, ir::value_id scan, int k) {
  ir::statement s;
  s.code = ir::opcode::result;
  s.operands[0] = scan;
  s.set_output(k);
  return emit(p, s);
}

/// A scan that carries nothing, with a step of one output; and this output, for each step.
constexpr ir::value_id emit_for_each_step(ir::program& p, ir::program step, const sequence<ir::value_id>& reads,
                                          ir::extent over) {
  step.extents = p.extents;
  step.kinds = p.kinds;
  ir::statement s;
  s.code = ir::opcode::scan;
  s.operands[0] = ir::emit_arguments(p, reads);
  s.set_callee(ir::callee_number(p, step));
  s.over = over;
  return emit_result(p, p.emit(s), 0);
}

/// a + b, step by step if they have a value for each.
constexpr ir::value_id added(ir::program& p, ir::value_id a, ir::value_id b) {
  if (!p[a].is_sequence()) return (value{&p, a} + value{&p, b}).id;
  ir::program step;
  const ir::value_id x = emit_input(step, p[a], ir::extent(0)), y = emit_input(step, p[b], ir::extent(0));
  step.outputs.push_back(ir::output{(value{&step, x} + value{&step, y}).id, {}});
  return emit_for_each_step(p, step, {a, b}, p[a].over);
}

/// Zeros of the kind of a value.
constexpr ir::value_id zeros_like(ir::program& p, ir::statement like) {
  if (!like.is_sequence()) return broadcast(constant(p, like.type, 0), like.where, like.dims).id;
  ir::program step;
  step.outputs.push_back(ir::output{broadcast(constant(step, like.type, 0), like.where, like.dims).id, {}});
  return emit_for_each_step(p, step, {}, like.over);
}

/// The scan of a gradient, with arguments in q, without its forward scan: its step, which is given, makes everything
/// anew.
constexpr ir::statement made_alone(ir::program& q, ir::statement gradient, ir::program step) {
  step.outputs.resize(step.outputs.size() - step.forward_outputs);
  step.forward_outputs = 0;
  gradient.code = ir::opcode::scan;
  gradient.operands[1] = ir::no_value;
  gradient.set_callee(ir::callee_number(q, dce(step)));
  return gradient;
}

/// Adds d to a gradient in a list, or makes it the first.
constexpr void add_gradient(ir::program& q, ir::value_id& sum, ir::value_id d) {
  sum = sum == ir::no_value ? d : added(q, sum, d);
}

namespace detail {

/// The new form of a call, and its gradient; equal calls with equal requests share one.
struct called_gradient {
  int callee = 0;
  ir::flags asked{};                     // of each entry, whether its gradient is
  ir::flags has_cotangent{};             // of each output
  sequence<int> required{}, provided{};  // entries, outputs
  int forward = 0;                       // the numbers of the steps
  int gradient = 0;

  constexpr bool is_for(const called_gradient& o) const {
    return callee == o.callee && asked == o.asked && has_cotangent == o.has_cotangent;
  }
};

class scan_differentiation {
 public:
  constexpr scan_differentiation(ir::program& into, ir::value_id scan, const ir::flags& asked,
                                 sequence<ir::value_id>& found, sequence<called_gradient>& calls,
                                 sequence<scan_gradients>* all)
      : q(into),
        at(scan),
        wanted(asked),
        gradients(found),
        known(calls),
        given(all),
        s(into[scan]),
        carried(s.carried()),
        outputs(into.callees[s.callee()].outputs.size() - into.callees[s.callee()].forward_outputs),
        reads(ir::arguments_of(into, s)),
        cotangent(outputs, ir::no_value),
        collected(carried, ir::no_value) {}

  constexpr void run() {
    bool any = false;
    for (ir::value_id i = at + 1; i < gradients.size(); ++i) {
      if (q[i].code != ir::opcode::result || q[i].operands[0] != at || gradients[i] == ir::no_value) continue;
      cotangent[q[i].output()] = gradients[i];
      any = true;
    }
    if (!any) return;
    if (ir::is_call(s)) differentiate_call();
    else if (const int number = differentiate_step(); number >= 0) emit_scan(number);
  }

 private:
  /// The number of the step of the gradient, or -1: there is none.
  constexpr int differentiate_step() {
    step = q.callees[s.callee()];
    input = inputs_by_entry(step);
    find_required();
    if (required.empty()) return -1;
    const ir::program g = gradient_of_step();
    collect_carried(g);
    return ir::callee_number(q, g);
  }
  constexpr void differentiate_call() {
    called_gradient made;
    made.callee = s.callee();
    for (const ir::value_id x : reads) made.asked.push_back(wanted[x]);
    for (const ir::value_id y : cotangent) made.has_cotangent.push_back(y != ir::no_value);
    int k = 0;
    while (k < known.size() && !known[k].is_for(made)) ++k;
    if (k == known.size()) {
      made.gradient = differentiate_step();
      made.required = required;
      made.provided = provided;
      made.forward = q[at].callee();
      known.push_back(made);
    }
    if (known[k].gradient < 0) return;
    required = known[k].required;
    provided = known[k].provided;
    q.statements[at].set_callee(known[k].forward);
    emit_scan(known[k].gradient);
  }

  /// Whether the step gives the gradient of an input by itself, rather than a sum over all steps.
  constexpr bool is_each(int entry) const {
    if (ir::is_call(s)) return true;
    return entry >= carried && q[reads[entry]].is_sequence() && !step[input[entry]].is_sequence();
  }

  /// The inputs with a gradient to return, or to pass on to the step before.
  constexpr void find_required() {
    ir::flags is_required(reads.size(), 0);
    for (int e = 0; e < reads.size(); ++e)
      is_required[e] = input[e] != ir::no_value && wanted[reads[e]] && is_differentiable(step[input[e]].type);
    for (bool grows = true; grows;) {
      required.clear();
      sequence<ir::value_id> statements;
      for (int e = 0; e < reads.size(); ++e) {
        if (!is_required[e]) continue;
        required.push_back(e);
        statements.push_back(input[e]);
      }
      grows = false;
      depends = depends_on(step, statements);
      for (int k = 0; k < carried; ++k) {
        if (is_required[k] || input[k] == ir::no_value || !depends[step.outputs[k].at]) continue;
        is_required[k] = 1;
        grows = true;
      }
    }
    for (int k = 0; k < outputs; ++k)
      if (k < carried && input[k] != ir::no_value ? is_required[k] != 0 : cotangent[k] != ir::no_value)
        provided.push_back(k);
    const ir::flags reached = reached_from(step, provided);
    sequence<int> all;
    all.swap(required);
    for (int e : all)
      if (e < carried || reached[input[e]]) required.push_back(e);
  }

  /// Has the forward scan collect its steps' initial values, unless it already gives them for each step. A value for
  /// each step of a scan within has none for each step of this one as well: of a gradient, which is linear in all that
  /// it carries, a sum is left out if its own gradient does not read it.
  constexpr void collect_carried(const ir::program& g) {
    sequence<int> gradient;
    for (int k = 0; k < g.outputs.size() - g.forward_outputs; ++k) gradient.push_back(k);
    const ir::flags is_read = reached_from(g, gradient);
    const sequence<ir::value_id> of_gradient = inputs_by_entry(g);
    const auto is_collected = [&](int k) {
      if (input[k] == ir::no_value) return false;
      const bool may_be_a_sum = s.code == ir::opcode::scan_gradient && step[input[k]].is_sequence();
      return !may_be_a_sum || is_read[of_gradient[first_read + k]] != 0;
    };
    ir::program longer = step;
    longer.outputs.resize(outputs);
    sequence<int> result_of;
    for (int k = 0; k < carried; ++k) {
      int given_by = carried;  // an output with it for each step, as for another gradient
      while (given_by < outputs && step.outputs[given_by].at != input[k]) ++given_by;
      const bool is_there = is_collected(k) && given_by < outputs;
      result_of.push_back(is_there ? given_by : longer.outputs.size());
      if (is_collected(k) && !is_there) longer.outputs.push_back(ir::output{input[k], {}});
    }
    for (int k = outputs; k < step.outputs.size(); ++k) longer.outputs.push_back(step.outputs[k]);
    q.statements[at].set_callee(ir::callee_number(q, longer));
    for (int k = 0; k < carried; ++k)
      if (is_collected(k)) collected[k] = emit_result(q, at, result_of[k]);
  }

  /// The step of the gradient. Its inputs: cotangents of carried values, sums so far, the step's, other cotangents.
  constexpr ir::program gradient_of_step() {
    ir::program g = step;
    g.outputs.clear();
    g.inputs.clear();
    sequence<ir::value_id> carried_cotangent(carried, ir::no_value);
    sequence<ir::value_id> sum(reads.size(), ir::no_value);
    first_read = 0;
    for (int k : provided) first_read += k < carried;
    for (int e : required) first_read += e >= carried && !is_each(e);
    for (ir::statement& in : g.statements)
      if (in.code == ir::opcode::input) in.set_entry(in.entry() + first_read);
    g.reserve(4 * g.size());  // and hashes changed statements anew
    for (int k : provided)
      if (k < carried) carried_cotangent[k] = emit_input(g, step[step.outputs[k].at], step[step.outputs[k].at].over);
    for (int e : required)
      if (e >= carried && !is_each(e)) sum[e] = emit_input(g, step[input[e]], step[input[e]].over);
    for (const ir::input& in : step.inputs) g.inputs.push_back(in);

    sequence<ir::value_id> found(step.size(), ir::no_value);
    for (int k : provided) {
      const ir::value_id of = step.outputs[k].at;
      add_gradient(g, found[of], k < carried ? carried_cotangent[k] : emit_input(g, step[of], step[of].over));
    }
    differentiate(g, depends, found);
    for (int k : provided)
      if (k < carried) g.outputs.push_back(ir::output{gradient_of_carried(g, found, k), {}});
    for (int e : required)
      if (e >= carried && !is_each(e))
        g.outputs.push_back(ir::output{added(g, sum[e], gradient_or_zero(g, found, input[e])), {}});
    for (int e : required)
      if (is_each(e)) g.outputs.push_back(ir::output{gradient_or_zero(g, found, input[e]), {}});
    // Saved values are chosen of a scan, never of a gradient (save_steps.hpp), which need not give forwards a value for
    // each step of a scan within.
    bool has_steps_within = false;
    for (int k = 0; k < outputs; ++k) has_steps_within = has_steps_within || step[step.outputs[k].at].is_sequence();
    g.forward_outputs = s.code == ir::opcode::scan_gradient && has_steps_within ? 0 : outputs;
    for (int k = 0; k < g.forward_outputs; ++k) g.outputs.push_back(step.outputs[k]);
    for (int k = q.extents.size(); k < g.extents.size(); ++k) q.extents.push_back(g.extents[k]);
    return g;
  }
  /// A state that the step does not read has a cotangent at the last step alone.
  constexpr ir::value_id gradient_of_carried(ir::program& g, const sequence<ir::value_id>& found, int k) const {
    if (input[k] == ir::no_value) return zeros_like(g, step[step.outputs[k].at]);
    return gradient_or_zero(g, found, input[k]);
  }
  constexpr ir::value_id gradient_or_zero(ir::program& g, const sequence<ir::value_id>& found, ir::value_id of) const {
    if (found[of] == ir::no_value) return zeros_like(g, step[of]);
    if (g[found[of]].is_sequence()) return found[of];
    return broadcast(value{&g, found[of]}, step[of].where, step[of].dims).id;
  }

  constexpr void emit_scan(int number) {
    sequence<ir::value_id> list;
    for (int k : provided)
      if (k < carried) list.push_back(cotangent[k] != ir::no_value ? cotangent[k] : zeros_like(q, q[reads[k]]));
    for (int e : required)
      if (e >= carried && !is_each(e)) list.push_back(zeros_like(q, q[reads[e]]));
    for (int e = 0; e < reads.size(); ++e)
      list.push_back(e < carried && collected[e] != ir::no_value ? collected[e] : reads[e]);
    for (int k : provided)
      if (k >= carried) list.push_back(cotangent[k]);
    ir::statement back;
    back.code = ir::opcode::scan_gradient;
    back.operands[0] = ir::emit_arguments(q, list);
    back.operands[1] = at;
    back.set_callee(number);
    back.set_carried(first_read);
    back.over = s.over;
    if (ir::is_call(s)) back.set_first_site(ir::first_site(s));
    else back.set_backwards(!s.is_backwards());
    const ir::value_id scan = q.emit(back);
    if (given != nullptr) given->push_back({at, sequence<ir::value_id>(reads.size(), ir::no_value)});
    int k = 0;
    for (int e : provided)
      if (e < carried) give(e, scan, k++);
    for (int e : required)
      if (e >= carried && !is_each(e)) give(e, scan, k++);
    for (int e : required)
      if (is_each(e)) give(e, scan, k++);
  }
  constexpr void give(int entry, ir::value_id scan, int k) {
    if (!wanted[reads[entry]]) return;
    const ir::value_id result = emit_result(q, scan, k);
    if (given != nullptr) given->back().of[entry] = result;
    add_gradient(q, gradients[reads[entry]], result);
  }

  ir::program& q;
  ir::value_id at;
  const ir::flags& wanted;
  sequence<ir::value_id>& gradients;
  sequence<called_gradient>& known;
  sequence<scan_gradients>* given;  // null: nobody asks
  ir::statement s;
  ir::program step{};
  int carried, outputs;
  sequence<ir::value_id> reads, input{};
  sequence<ir::value_id> cotangent;      // of each output, if it has one
  sequence<ir::value_id> collected;      // of each carried value, the steps' initial values
  sequence<int> required{}, provided{};  // entries of the step's inputs; its outputs
  ir::flags depends{};                   // of the step's values: on a required input
  int first_read = 0;                    // among the inputs of the gradient's step: carried ones stand before it
};

}  // namespace detail

/// Writes the wanted gradients of scan i's operands. `gradients` holds the cotangents of its results, `calls` the steps
/// differentiated before. `found`, unless it is null, gets the number of each gradient.
constexpr void differentiate_scan(ir::program& q, ir::value_id i, const ir::flags& wanted,
                                  sequence<ir::value_id>& gradients, sequence<detail::called_gradient>& calls,
                                  sequence<scan_gradients>* found = nullptr) {
  detail::scan_differentiation(q, i, wanted, gradients, calls, found).run();
}

}  // namespace stg::pass

#include <stg/pass/autodiff.hpp>  // differentiate: it and the above call each other
