// differentiate: a program's gradient as a program of its own, and how the two are connected.
#pragma once

#include <string>       // string, to_string
#include <string_view>  // string_view
#include <vector>       // vector

#include <stg/base/instead.hpp>         // STG_INSTEAD_FOR
#include <stg/base/error.hpp>           // error
#include <stg/base/sequence.hpp>        // sequence
#include <stg/ir/callees.hpp>           // take_extents, arguments_of
#include <stg/ir/program.hpp>           // program
#include <stg/analysis/dependence.hpp>  // reached_from, refused_by
#include <stg/pass/autodiff.hpp>        // input_has_no_gradient
#include <stg/pass/call.hpp>            // emit_call, as_callee
#include <stg/pass/inline.hpp>          // inline_calls
#include <stg/pass/separation.hpp>      // separation, program_with_gradient

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

namespace detail {

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

/// Inputs that have a gradient if these outputs bring a cotangent, in the order of the program.
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

/// The forward program and the gradient of a program: for cotangents of the outputs at the positions `provided`, the
/// gradients of the values `required`, any values of the program, in this order. Runs at compile time and at run time,
/// on a program as it was traced or in canonical form. `keep` is the keeping of all values without a word of the
/// program's own, by saved, recomputed or keep (dsl/keep.hpp). Throws nothing_to_differentiate for an empty list,
/// value_of_another_program, output_is_provided_twice, sparse_input_has_no_gradient,
/// pass::output_is_not_differentiable, pass::input_has_no_gradient if no provided output depends on a required value,
/// and pass::operation_has_no_gradient if the dependence goes through floor or its like.
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

/// Positions of provided outputs without use: no required gradient depends on their cotangents.
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

/// Thrown: a call of another program than the differentiated one, or no call.
struct call_of_another_program : error {
  explicit call_of_another_program(int at)
      : error("value %" + std::to_string(at) +
              " is no call of the program that was differentiated; give the call that " + "emit_call returned for it") {
  }
};

namespace detail {

/// The values that a call passes to a program, by entry of its inputs.
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

/// The arguments of a call of d.gradient after a call of d.forward: by entry of its inputs, the caller's values.
/// cotangents: the caller's, one for each provided output, in this order. Throws call_of_another_program, and
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
/// After a call of d.forward and one of d.gradient: the values that the first passed for required inputs, each value
/// once, in the order required, with its gradient: the sum if it was passed for several. Throws
/// call_of_another_program.
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
