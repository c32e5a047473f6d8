// A program and its gradient, taken apart: two programs, and how they are connected. Asked by differentiate.
#pragma once

#include <cstdint>  // uint64_t

#include <stg/base/sequence.hpp>       // sequence
#include <stg/base/taken_names.hpp>    // taken_names
#include <stg/base/text.hpp>           // text
#include <stg/ir/attachments.hpp>      // carry_tags
#include <stg/ir/callees.hpp>          // callee_number
#include <stg/ir/keeping.hpp>          // keeping
#include <stg/ir/program.hpp>          // program
#include <stg/op/list.hpp>             // info_of
#include <stg/analysis/kept.hpp>       // kept_ways
#include <stg/pass/autodiff.hpp>       // autodiff
#include <stg/pass/save.hpp>           // saved_values
#include <stg/pass/save_steps.hpp>     // save_steps
#include <stg/pass/scan_gradient.hpp>  // made_alone

namespace stg {

/// The source of an input of a gradient: the cotangent of an output, or a value of the forward program.
struct gradient_input {
  bool is_cotangent = false;
  int output = -1;                    // of a cotangent: its output; of a value: its output of `forward`; -1: an input
  ir::value_id value = ir::no_value;  // of the forward program; of a cotangent: the value it belongs to
  constexpr bool operator==(const gradient_input&) const = default;
};

/// A scan or call of the forward program, and the scan or call of its gradient. `outputs`: of each input of the called
/// program, by entry, the output of the called gradient that is its gradient; -1: none.
struct call_with_gradient {
  ir::value_id call = ir::no_value;      // in `forward`
  ir::value_id gradient = ir::no_value;  // in `gradient`
  sequence<int> outputs{};
  constexpr bool operator==(const call_with_gradient&) const = default;
};

/// A program and its gradient.
struct program_with_gradient {
  ir::program forward{};   // the program, its values numbered as before; behind its outputs the gradient's operands
  int results = 0;         // outputs of the original program
  ir::program gradient{};  // its outputs are the gradients of `required`, in order
  sequence<gradient_input> inputs{};  // of the gradient, by entry: the cotangents provided, in their order, then values
  sequence<ir::value_id> required{};  // values of the forward program
  sequence<call_with_gradient> calls{};  // calls that the gradient goes through, the last of the program first
};

namespace detail {

class separation {
 public:
  constexpr separation(const ir::program& of, const sequence<int>& outputs, const sequence<ir::value_id>& values,
                       keeping what)
      : p(of), provided(outputs), keep(what) {
    made.results = p.outputs.size();
    made.required = values;
  }

  constexpr program_with_gradient run() {
    join();
    write_forward();
    choose();
    add_what_is_read();
    write_gradient();
    return made;
  }

 private:
  /// Calls f(gradient) for the gradients of the scans' operands. (clang 14 asks that it stands before its callers.)
  template <class F> constexpr void each_of_scans(const F& f) {
    for (pass::scan_gradients& s : scans)
      for (ir::value_id& gradient : s.of)
        if (gradient != ir::no_value) f(gradient);
  }
  /// Both in one program. The outputs track the values of p, since scans that save write p anew.
  constexpr void join() {
    pass::joint_program joint = pass::autodiff(p, provided, made.required);
    whole = joint.program;
    scans = joint.scans;
    const sequence<ir::output> gradients = behind(whole.outputs, p.outputs.size());
    whole.outputs.clear();
    for (ir::value_id i = 0; i < p.size(); ++i) whole.outputs.push_back(ir::output{i, {}});
    for (const ir::output& o : gradients) whole.outputs.push_back(o);
    each_of_scans([&](ir::value_id& gradient) { whole.outputs.push_back(ir::output{gradient, {}}); });
    whole = pass::save_steps(whole, pass::choices(), p.size());  // p's own scans keep their operands
    int last = p.size() + gradients.size();
    each_of_scans([&](ir::value_id& gradient) { gradient = whole.outputs[last++].at; });
    whole.outputs.resize(p.size() + gradients.size());
    forward_of.assign(whole.size(), ir::no_value);
    for (ir::value_id i = 0; i < p.size(); ++i) {
      at.push_back(whole.outputs[i].at);
      if (forward_of[at[i]] == ir::no_value) forward_of[at[i]] = i;
    }
    asked = behind(whole.outputs, p.size());
    whole.outputs.clear();
    for (const ir::output& o : p.outputs) whole.outputs.push_back(ir::output{at[o.at], o.name});
    for (const ir::output& o : asked) whole.outputs.push_back(o);
  }
  static constexpr sequence<ir::output> behind(const sequence<ir::output>& all, int first) {
    sequence<ir::output> rest;
    for (int k = first; k < all.size(); ++k) rest.push_back(all[k]);
    return rest;
  }

  constexpr void write_forward() {
    ir::program& f = made.forward;
    f = p;
    f.extents = whole.extents;
    f.kinds = whole.kinds;
    f.callees.clear();
    for (ir::value_id i = 0; i < p.size(); ++i)
      if (ir::has_callee(p[i])) f.statements[i].set_callee(callee_of(f, at[i]));
    f.reserve(f.size());  // and hashes changed statements anew
  }
  constexpr int callee_of(ir::program& q, ir::value_id caller) const {
    return ir::callee_number(q, whole.callees[whole[caller].callee()]);
  }

  constexpr bool is_forward(ir::value_id i) const { return forward_of[i] != ir::no_value; }
  /// A value that the steps of a forward scan save for its gradient's steps.
  constexpr bool is_saved_by_steps(ir::value_id i) const {
    return whole[i].code == ir::opcode::result && is_forward(whole[i].operands[0]);
  }
  constexpr bool is_source(ir::value_id i) const { return op::info_of(whole[i].code).kind == op::category::source; }

  constexpr void choose() {
    ir::flags saved;  // g++ 12 frees it twice in constant evaluation if a conditional operator makes it
    if (keep == keeping::chosen) saved = pass::saved_values(whole, made.results, p.inputs.size());
    ir::flags of_forward(whole.size(), 0);
    for (ir::value_id i = 0; i < whole.size(); ++i) of_forward[i] = is_forward(i);
    const pass::kept_ways said(whole, of_forward);
    ir::flags is_output(whole.size(), 0);
    for (int k = 0; k < made.results; ++k) is_output[whole.outputs[k].at] = 1;
    is_read.assign(whole.size(), 0);
    ir::flags needed(whole.size(), 0);
    for (const ir::output& o : asked) needed[o.at] = 1;
    for (ir::value_id i = whole.size() - 1; i >= 0; --i) {
      if (!needed[i]) continue;
      if (whole[i].code == ir::opcode::input) is_read[i] = 1;
      else if (is_source(i) || ir::is_part_of_scan(whole[i].code)) is_read[i] = 0;
      else is_read[i] = is_to_be_read(i, said.of(i), saved, is_output);
      if (is_read[i]) continue;
      const int read = whole[i].code == ir::opcode::scan_gradient ? 1 : whole[i].arity();
      for (int k = 0; k < read; ++k) needed[whole[i].operands[k]] = 1;
    }
    is_needed = needed;
  }

  constexpr bool is_to_be_read(ir::value_id i, keeping said, const ir::flags& saved, const ir::flags& is_output) const {
    const keeping way = said == keeping::chosen ? keep : said;
    const bool is_there = is_forward(i) || is_saved_by_steps(i);
    switch (way) {
      case keeping::chosen:
        return saved[i];
      case keeping::everything:
        return is_there;
      case keeping::all_but_edges:
        return is_there && whole[i].where != ir::space::edge;
      case keeping::results:
        return is_output[i];
      default:
        return false;
    }
  }

  /// Values that the gradient reads become outputs of the forward program, which gets the sums it asks for.
  constexpr void add_what_is_read() {
    ir::program& f = made.forward;
    ir::take_scopes(f, whole);  // it begins with f's scopes
    const auto is_given = [&](ir::value_id i) {
      return is_needed[i] && is_read[i] && whole[i].code != ir::opcode::input;
    };
    ir::flags is_asked(whole.size(), 0);
    for (ir::value_id i = whole.size() - 1; i >= 0; --i) {
      is_asked[i] = !is_forward(i) && (is_asked[i] || is_given(i));
      for (int k = 0; is_asked[i] && k < whole[i].arity(); ++k) is_asked[whole[i].operands[k]] = 1;
    }
    for (ir::value_id i = 0; i < whole.size(); ++i) {
      if (!is_asked[i]) continue;
      ir::statement s = ir::renamed(whole[i], forward_of);
      if (ir::has_callee(s)) s.set_callee(callee_of(f, i));
      forward_of[i] = f.append(s);
    }
    output_at.assign(f.size(), -1);
    for (int k = f.outputs.size() - 1; k >= 0; --k) output_at[f.outputs[k].at] = k;
    for (ir::value_id i = 0; i < whole.size(); ++i) {
      if (!is_given(i) || output_at[forward_of[i]] >= 0) continue;
      output_at[forward_of[i]] = f.outputs.size();
      f.outputs.push_back(ir::output{forward_of[i], {}});
    }
  }

  constexpr void write_gradient() {
    ir::program& g = made.gradient;
    g.reserve(whole.size());
    g.extents = whole.extents;
    g.kinds = whole.kinds;
    ir::take_scopes(g, whole);
    for (const ir::input& in : whole.inputs) names.add(in.name);
    sequence<int> entry_of_input(whole.inputs.size(), -1);
    for (int k = 0; k < provided.size(); ++k) {
      entry_of_input[p.inputs.size() + k] =
          connect({true, provided[k], p.outputs[provided[k]].at}, whole.inputs[p.inputs.size() + k]);
    }
    sequence<ir::value_id> to(whole.size(), ir::no_value);
    for (ir::value_id i = 0; i < whole.size(); ++i) {
      if (!is_needed[i]) continue;
      if (!is_read[i]) {
        ir::statement s = ir::renamed(whole[i], to);
        if (s.code == ir::opcode::scan_gradient)  // a value of p's; it reads values that its scan gave or gives again
          s = pass::made_alone(g, s, whole.callees[s.callee()]);
        else if (ir::has_callee(s)) s.set_callee(callee_of(g, i));
        to[i] = g.emit(s);
        continue;
      }
      int entry = whole[i].code == ir::opcode::input ? entry_of_input[whole[i].entry()] : -1;
      if (entry < 0) entry = read(i, entry_of_input);
      to[i] = g.emit(ir::input_like(whole[i], entry));
    }
    ir::carry_tags(whole, g, to);
    ir::carry_decisions(whole, g, to, ir::promises::is_promise);
    for (const ir::output& o : asked) g.outputs.push_back(ir::output{to[o.at], o.name});
    for (const pass::scan_gradients& s : scans) connect(s, to);
  }
  /// to: of values of `whole`, in the gradient.
  constexpr void connect(const pass::scan_gradients& s, const sequence<ir::value_id>& to) {
    call_with_gradient c{s.scan, ir::no_value, sequence<int>(s.of.size(), -1)};
    for (int entry = 0; entry < s.of.size(); ++entry) {
      const ir::value_id result = s.of[entry] == ir::no_value ? ir::no_value : to[s.of[entry]];
      if (result == ir::no_value) continue;
      c.gradient = made.gradient[result].operands[0];
      c.outputs[entry] = made.gradient[result].output();
    }
    if (c.gradient != ir::no_value) made.calls.push_back(c);
  }
  /// A further input of the gradient: "value 12" for value %12 of the forward program.
  constexpr int read(ir::value_id i, sequence<int>& entry_of_input) {
    if (whole[i].code != ir::opcode::input) {
      const ir::value_id value = forward_of[i];
      text name("value ");
      name.append_number(static_cast<std::uint64_t>(value));
      return connect({false, output_at[value], value}, ir::input{names.free(name)});
    }
    const int from = whole[i].entry();
    return entry_of_input[from] = connect({false, -1, forward_of[i]}, whole.inputs[from]);
  }
  constexpr int connect(gradient_input from, const ir::input& in) {
    made.inputs.push_back(from);
    made.gradient.inputs.push_back(in);
    return made.inputs.size() - 1;
  }

  const ir::program& p;
  sequence<int> provided;
  keeping keep;
  program_with_gradient made{};
  ir::program whole{};                     // both: p's values, and the gradient's
  sequence<pass::scan_gradients> scans{};  // of p, with values of `whole`
  sequence<ir::output> asked{};            // the gradients, in `whole`
  sequence<ir::value_id> at{};             // of values of p, in `whole`
  sequence<ir::value_id> forward_of{};     // of values of `whole`, in made.forward
  sequence<int> output_at{};               // of values of made.forward: their outputs; -1: none
  taken_names names{};                     // of inputs
  ir::flags is_read{}, is_needed{};        // by the gradient, of values of `whole`
};

}  // namespace detail

}  // namespace stg
