// differentiate: a program's gradient as a program of its own, and how the two are connected.
#pragma once

#include <string>       // string, to_string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/base/instead.hpp>         // STG_INSTEAD_FOR
#include <stg/base/error.hpp>           // error
#include <stg/base/sequence.hpp>        // sequence
#include <stg/base/taken_names.hpp>     // taken_names
#include <stg/ir/attachments.hpp>       // carry_tags
#include <stg/ir/callees.hpp>           // take_extents, arguments_of, callee_number
#include <stg/ir/program.hpp>           // program
#include <stg/analysis/dependence.hpp>  // reached_from, refused_by
#include <stg/analysis/kept.hpp>        // kept_ways
#include <stg/pass/autodiff.hpp>        // autodiff, input_has_no_gradient
#include <stg/pass/call.hpp>            // emit_call, as_callee
#include <stg/pass/inline.hpp>          // inline_calls
#include <stg/pass/save.hpp>            // saved_values
#include <stg/pass/save_steps.hpp>      // save_steps
#include <stg/pass/scan_gradient.hpp>   // made_alone

namespace stg {

/// Thrown: a list of values or outputs to differentiate that has none.
struct nothing_to_differentiate : error {
  nothing_to_differentiate()
      : error(
            "there is nothing to differentiate; provide an output of real numbers, and require a value it depends on") {
  }
};
/// Thrown: a sparse input among the values that are required.
struct sparse_input_has_no_gradient : error {
  explicit sparse_input_has_no_gradient(const text& name)
      : error("sparse input '" + std::string(name.view()) +
              "' has no gradient; declare what is trained as a vertex_feature") {}
};
/// Thrown: an output that is to bring two cotangents.
struct output_is_provided_twice : error {
  explicit output_is_provided_twice(int output)
      : error("output " + std::to_string(output) + " is provided twice; add its cotangents, and provide the sum") {}
};
/// Thrown: a value, or the position of an output, that the program does not have.
struct value_of_another_program : error {
  explicit value_of_another_program(int asked)
      : error("the program has no value or output " + std::to_string(asked) +
              "; take numbers from the program itself") {}
};

/// Where an input of a gradient comes from: the cotangent of an output, or a value of the forward program.
struct gradient_input {
  bool is_cotangent = false;
  int output = -1;  // whose cotangent it is; of a value: which output of `forward` it is; -1: an input
  ir::value_id value = ir::no_value;  // of the forward program; of a cotangent: what it is the cotangent of
  constexpr bool operator==(const gradient_input&) const = default;
};

/// A scan or call of the forward program, and the scan or call of its gradient. `outputs`: of each input of the program
/// that is called, by entry, which output of the called gradient is its gradient; -1: none.
struct call_with_gradient {
  ir::value_id call = ir::no_value;      // in `forward`
  ir::value_id gradient = ir::no_value;  // in `gradient`
  sequence<int> outputs{};
  constexpr bool operator==(const call_with_gradient&) const = default;
};

/// A program and its gradient.
struct program_with_gradient {
  ir::program forward{};   // the program, whose values keep their numbers; behind its outputs what the gradient reads
  int results = 0;         // outputs that it had before
  ir::program gradient{};  // its outputs are the gradients of `required`, in that order
  sequence<gradient_input> inputs{};  // of the gradient, by entry: the cotangents provided, in their order, then values
  sequence<ir::value_id> required{};  // values of the forward program
  sequence<call_with_gradient> calls{};  // those through which the gradient goes, the last of the program first
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
  /// Calls f(gradient) for the gradients of what scans read. (clang 14 asks that it stands before its callers.)
  template <class F> constexpr void each_of_scans(const F& f) {
    for (pass::scan_gradients& s : scans)
      for (ir::value_id& gradient : s.of)
        if (gradient != ir::no_value) f(gradient);
  }
  /// Both in one program. The outputs say which of its values are those of p, since scans that save write p anew.
  constexpr void join() {
    pass::joint_program joint = pass::autodiff(p, provided, made.required);
    whole = joint.program;
    scans = joint.scans;
    const sequence<ir::output> gradients = behind(whole.outputs, p.outputs.size());
    whole.outputs.clear();
    for (ir::value_id i = 0; i < p.size(); ++i) whole.outputs.push_back(ir::output{i, {}});
    for (const ir::output& o : gradients) whole.outputs.push_back(o);
    each_of_scans([&](ir::value_id& gradient) { whole.outputs.push_back(ir::output{gradient, {}}); });
    whole = pass::save_steps(whole, pass::choices(), p.size());  // p's own scans keep what they read
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
      if (ir::has_callee(p[i])) f.statements[i].attribute = callee_of(f, at[i]);
    f.reserve(f.size());  // and hashes anew what has changed
  }
  constexpr int callee_of(ir::program& q, ir::value_id caller) const {
    return ir::callee_number(q, whole.callees[whole[caller].callee()]);
  }

  constexpr bool is_forward(ir::value_id i) const { return forward_of[i] != ir::no_value; }
  /// What the steps of a forward scan save for those of its gradient.
  constexpr bool is_saved_by_steps(ir::value_id i) const {
    return whole[i].code == ir::opcode::result && is_forward(whole[i].operands[0]);
  }
  constexpr bool is_source(ir::value_id i) const { return op::info_of(whole[i].code).kind == op::category::source; }

  constexpr void choose() {
    ir::flags saved;  // g++ 12 frees it twice in constant evaluation where it is made by a conditional operator
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

  /// What the gradient reads becomes an output of the forward program, which gets the sums that it asks for.
  constexpr void add_what_is_read() {
    ir::program& f = made.forward;
    ir::take_scopes(f, whole);  // which begins with those that f has
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
      if (ir::has_callee(s)) s.attribute = callee_of(f, i);
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
        if (s.code == ir::opcode::scan_gradient)  // a value of p's, which reads what its scan gave or gives again
          s = pass::made_alone(g, s, whole.callees[s.callee()]);
        else if (ir::has_callee(s)) s.attribute = callee_of(g, i);
        to[i] = g.emit(s);
        continue;
      }
      int entry = whole[i].code == ir::opcode::input ? entry_of_input[whole[i].entry()] : -1;
      if (entry < 0) entry = read(i, entry_of_input);
      to[i] = emit_read(g, whole[i], entry);
    }
    ir::carry_tags(whole, g, to);
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
  static constexpr ir::value_id emit_read(ir::program& g, const ir::statement& like, int entry) {
    ir::statement s;
    s.code = ir::opcode::input;
    s.where = like.where;
    s.type = like.type;
    s.dims = like.dims;
    s.over = like.over;
    s.scopes = like.scopes;
    s.attribute = entry;
    return g.emit(s);
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
  sequence<int> output_at{};               // of values of made.forward: which of its outputs they are; -1: none
  taken_names names{};                     // of inputs
  ir::flags is_read{}, is_needed{};        // by the gradient, of values of `whole`
};

constexpr void check_outputs(const ir::program& p, const sequence<int>& provided) {
  if (provided.empty()) throw nothing_to_differentiate();
  ir::flags seen(p.outputs.size(), 0);
  for (int k : provided) {
    if (k < 0 || k >= p.outputs.size()) throw value_of_another_program(k);
    if (seen[k]) throw output_is_provided_twice(k);
    seen[k] = 1;
  }
}

}  // namespace detail

/// Real outputs of a program, by position.
constexpr sequence<int> real_outputs(const ir::program& p) {
  sequence<int> found;
  for (int k = 0; k < p.outputs.size(); ++k)
    if (is_differentiable(p[p.outputs[k].at].type)) found.push_back(k);
  return found;
}

/// Inputs that have a gradient, when these outputs bring a cotangent, in the order of the program.
constexpr sequence<ir::value_id> differentiable_inputs(const ir::program& p, const sequence<int>& provided) {
  const ir::flags reached = pass::reached_from(p, provided);
  sequence<ir::value_id> all, found;
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (p[i].code != ir::opcode::input || !reached[i] || !is_differentiable(p[i].type)) continue;
    if (!p.inputs[p[i].entry()].sparse) all.push_back(i);
  }
  if (pass::refused_by(p, provided, all) == ir::no_value) return all;
  for (ir::value_id i : all)
    if (pass::refused_by(p, provided, {i}) == ir::no_value) found.push_back(i);
  return found;
}

/// The forward program and the gradient of a program: for cotangents of the outputs whose positions are `provided`, the
/// gradients of the values `required`, whichever values of the program these are, in this order. Runs at compile time
/// and at run time, on a program as it was traced or in canonical form. `keep`: how all is kept of which the program
/// says nothing by saved, recomputed and keep (dsl/keep.hpp). Throws nothing_to_differentiate for an empty
/// list, value_of_another_program, output_is_provided_twice, sparse_input_has_no_gradient,
/// pass::output_is_not_differentiable, pass::input_has_no_gradient where no provided output depends on a required
/// value, and pass::operation_has_no_gradient where that goes through floor or its like.
///
///   const auto d = stg::differentiate(p, {0}, {x, w}, stg::keeping::everything);
///   d.forward;                  // p, with what the gradient reads as further outputs
///   d.inputs[0].is_cotangent;   // of output 0
///   d.gradient.outputs.size();  // 2
constexpr program_with_gradient differentiate(const ir::program& p, const sequence<int>& provided,
                                              const sequence<ir::value_id>& required, keeping keep = keeping::chosen) {
  detail::check_outputs(p, provided);
  if (required.empty()) throw nothing_to_differentiate();
  for (ir::value_id r : required)
    if (r < 0 || r >= p.size()) throw value_of_another_program(r);
  for (ir::value_id r : required)
    if (p[r].code == ir::opcode::input && p.inputs[p[r].entry()].sparse)
      throw sparse_input_has_no_gradient(p.inputs[p[r].entry()].name);
  const ir::flags reached = pass::reached_from(p, provided);
  for (ir::value_id r : required)
    if (!reached[r]) throw pass::input_has_no_gradient();
  return detail::separation(p, provided, required, keep).run();
}
/// The same for all inputs that have a gradient.
constexpr program_with_gradient differentiate(const ir::program& p, const sequence<int>& provided,
                                              keeping keep = keeping::chosen) {
  detail::check_outputs(p, provided);
  return differentiate(p, provided, differentiable_inputs(p, provided), keep);
}
/// The same for cotangents of all real outputs.
constexpr program_with_gradient differentiate(const ir::program& p, keeping keep = keeping::chosen) {
  return differentiate(p, real_outputs(p), keep);
}

/// Positions of outputs that were provided for nothing: no required gradient depends on their cotangents.
constexpr sequence<int> unused_cotangents(const program_with_gradient& d) {
  ir::flags is_read(d.inputs.size(), 0);
  for (const ir::statement& s : d.gradient.statements)
    if (s.code == ir::opcode::input) is_read[s.entry()] = 1;
  sequence<int> unused;
  for (int e = 0; e < d.inputs.size(); ++e)
    if (d.inputs[e].is_cotangent && !is_read[e]) unused.push_back(d.inputs[e].output);
  return unused;
}
/// The same as a sentence for each.
inline std::vector<std::string> warnings_of(const program_with_gradient& d) {
  std::vector<std::string> all;
  for (const int k : unused_cotangents(d)) {
    const std::string_view name = d.forward.outputs[k].name.view();
    all.push_back("stg: output " + std::to_string(k) + (name.empty() ? "" : ", " + std::string(name) + ',') +
                  " is provided, and no required value goes into it; leave it out");
  }
  return all;
}

/// Thrown: a call that is one of another program than the one that was differentiated, or no call.
struct call_of_another_program : error {
  explicit call_of_another_program(int at)
      : error("value %" + std::to_string(at) +
              " is no call of the program that was differentiated; give the call that " + "emit_call returned for it") {
  }
};

namespace detail {

/// What a call passes to a program, by entry of its inputs.
constexpr sequence<ir::value_id> passed_by(const ir::program& caller, ir::value_id call, const ir::program& called) {
  if (call < 0 || call >= caller.size() || !ir::is_call(caller[call])) throw call_of_another_program(call);
  ir::program of = caller;
  const ir::program callee = pass::detail::as_callee(called, of);
  const ir::program& step = caller.callees[caller[call].callee()];
  const bool same_extents = of.extents.size() == caller.extents.size();  // else it names one that the caller lacks
  ir::program now = step;
  ir::take_extents(now, of);
  if (!same_extents || !(now == callee)) throw call_of_another_program(call);
  return ir::arguments_of(caller, caller[call]);
}

}  // namespace detail

/// What a call of d.gradient is to be passed where d.forward was called: by entry of its inputs, the caller's values.
/// cotangents: the caller's, one for each that was provided, in that order. Throws call_of_another_program, and
/// call_passes_other_values for more or fewer cotangents.
///
///   const auto call = pass::emit_call(caller, d.forward, {x, w});
///   const auto y    = pass::emit_result(caller, call, 0);
///   const auto back = pass::emit_call(caller, d.gradient, stg::gradient_arguments(caller, call, d, {dy}));
///   for (const auto& [of, gradient] : stg::gradients_of_passed(caller, call, back, d)) …
constexpr sequence<ir::value_id> gradient_arguments(ir::program& caller, ir::value_id call,
                                                    const program_with_gradient& d,
                                                    const sequence<ir::value_id>& cotangents) {
  const sequence<ir::value_id> passed = detail::passed_by(caller, call, d.forward);
  sequence<ir::value_id> arguments;
  int given = 0;
  for (const gradient_input& in : d.inputs) {
    if (in.is_cotangent) {
      if (given == cotangents.size()) throw call_passes_other_values();
      arguments.push_back(cotangents[given++]);
    } else if (in.output >= 0) {
      arguments.push_back(pass::emit_result(caller, call, in.output));
    } else {
      arguments.push_back(passed[d.forward[in.value].entry()]);
    }
  }
  if (given != cotangents.size()) throw call_passes_other_values();
  return arguments;
}

/// A value of a caller and its gradient.
struct value_with_gradient {
  ir::value_id of = ir::no_value, gradient = ir::no_value;
  constexpr bool operator==(const value_with_gradient&) const = default;
};
/// After a call of d.forward and one of d.gradient: what the first passed for required inputs, each value once, in the
/// order required, and its gradient: the sum where it was passed for several. Throws call_of_another_program.
constexpr sequence<value_with_gradient> gradients_of_passed(ir::program& caller, ir::value_id call,
                                                            ir::value_id gradient_call,
                                                            const program_with_gradient& d) {
  const sequence<ir::value_id> passed = detail::passed_by(caller, call, d.forward);
  detail::passed_by(caller, gradient_call, d.gradient);
  sequence<value_with_gradient> found;
  for (int k = 0; k < d.required.size(); ++k) {
    const ir::statement& in = d.forward[d.required[k]];
    bool is_counted = in.code != ir::opcode::input;  // made in the called program: the caller has no such value
    for (int j = 0; j < k; ++j) is_counted = is_counted || d.required[j] == d.required[k];
    if (is_counted) continue;
    const ir::value_id of = passed[in.entry()];
    int at = 0;
    while (at < found.size() && found[at].of != of) ++at;
    if (at == found.size()) found.push_back({of, ir::no_value});
    pass::add_gradient(caller, found[at].gradient, pass::emit_result(caller, gradient_call, k));
  }
  return found;
}

namespace detail {
template <class F>
concept NoProgram = !std::is_convertible_v<const F&, ir::program>;
}  // namespace detail
/// Of a lambda: what to write.
STG_INSTEAD_FOR((detail::NoProgram F), sizeof(F) == 0,
                "stg: differentiate takes a program: stg::differentiate(stg::as_program<model>(), {0})",
                constexpr program_with_gradient differentiate(const F&, const sequence<int>&, detail::any = {}))

}  // namespace stg
