// Calls of programs: writing one, and writing the called program in its place.
//
// A call is a scan of one step that carries nothing (ir::is_call). So everything that knows scans knows calls, their
// gradients and what these save, and an equal program that is called at several places is there once.
#pragma once

#include <cstdint>  // int64_t, uint64_t

#include <stg/base/sequence.hpp>       // sequence
#include <stg/ir/program.hpp>          // program
#include <stg/op/scan.hpp>             // recode
#include <stg/pass/dependence.hpp>     // inputs_by_entry
#include <stg/pass/scan_gradient.hpp>  // emit_result

namespace stg {

/// Thrown: a call passes more or fewer values than the program has inputs, or one of another kind.
struct call_passes_other_values {};

}  // namespace stg

namespace stg::pass {

namespace detail {

/// A program as a callee of another, whose extents it then has. What is looked at before it runs is left to the caller.
constexpr ir::program as_callee(ir::program called, ir::program& caller) {
  stg::detail::recode(called, caller);
  called.checks.clear();
  ir::take_extents(called, caller);
  return called;
}

constexpr bool same_kind(const ir::statement& a, const ir::statement& b) {
  return a.where == b.where && a.type == b.type && a.dims == b.dims && a.over == b.over;
}

}  // namespace detail

/// Calls a program with a value of the caller for each of its inputs, by entry. Returns the call; `emit_result(caller,
/// call, k)` is its output k. Labels and masks among the inputs are looked at before the caller runs. Throws
/// call_passes_other_values.
constexpr ir::value_id emit_call(ir::program& caller, const ir::program& called, const sequence<ir::value_id>& passed) {
  const ir::program step = detail::as_callee(called, caller);
  if (passed.size() != step.inputs.size()) throw call_passes_other_values();
  for (const ir::statement& in : step.statements)
    if (in.code == ir::opcode::input && !detail::same_kind(in, caller[passed[static_cast<int>(in.attribute)]]))
      throw call_passes_other_values();
  for (ir::label_range c : called.checks) {
    const auto outside = [&](ir::value_id at) {
      return at != ir::no_value && called[at].code == ir::opcode::input ? passed[static_cast<int>(called[at].attribute)]
                                                                        : ir::no_value;
    };
    const ir::value_id mask = outside(c.mask);
    if (outside(c.labels) == ir::no_value || (c.mask != ir::no_value && mask == ir::no_value)) continue;
    c.labels = outside(c.labels);
    c.mask = mask;
    c.classes = caller.intern(called.polynomial_of(c.classes));
    caller.checks.push_back(c);
  }
  ir::statement s;
  s.code = ir::opcode::scan;
  s.operands[0] = ir::emit_arguments(caller, passed);
  s.attribute = ir::callee_number(caller, step);
  s.over = ir::extent(1);
  s.axis = ir::once;
  return caller.emit(s);
}

/// The scopes of a called program among those of the caller, which it gets as long as there is room.
constexpr std::uint64_t scopes_in(ir::program& caller, const ir::program& called, std::uint64_t scopes) {
  std::uint64_t mapped = 0;
  for (int k = 0; k < called.scopes.size(); ++k) {
    if (!(scopes >> k & 1)) continue;
    int at = 0;
    while (at < caller.scopes.size() && !(caller.scopes[at] == called.scopes[k])) ++at;
    if (at >= 64) continue;
    if (at == caller.scopes.size()) caller.scopes.push_back(called.scopes[k]);
    mapped |= std::uint64_t(1) << at;
  }
  return mapped;
}

/// Writes the statements of a callee, whose extents are the caller's, with a value of the caller for each of its
/// inputs. Returns its outputs.
constexpr sequence<ir::value_id> emit_inlined(ir::program& caller, const ir::program& called,
                                              const sequence<ir::value_id>& passed, std::uint64_t scopes = 0) {
  sequence<ir::value_id> at(called.size(), ir::no_value), outputs;
  for (ir::value_id i = 0; i < called.size(); ++i) {
    ir::statement s = ir::renamed(called[i], at);
    if (s.code == ir::opcode::input) {
      at[i] = passed[static_cast<int>(s.attribute)];
      continue;
    }
    if (ir::is_scan(s.code)) s.attribute = ir::callee_number(caller, called.callees[static_cast<int>(s.attribute)]);
    s.scopes = scopes | scopes_in(caller, called, s.scopes);
    at[i] = caller.emit(s);
  }
  for (const ir::output& o : called.outputs) outputs.push_back(at[o.at]);
  return outputs;
}

/// A program with the programs that it calls written in their places, those that these call, too.
constexpr ir::program inline_calls(const ir::program& p) {
  ir::program q = ir::blank_like(p);
  q.callees.clear();
  sequence<ir::value_id> at;
  sequence<sequence<ir::value_id>> outputs;  // of calls
  sequence<int> outputs_at(p.size(), -1);
  for (ir::value_id i = 0; i < p.size(); ++i) {
    ir::statement s = ir::renamed(p[i], at);
    if (s.code == ir::opcode::scan && ir::is_call(s)) {
      const ir::program called = inline_calls(p.callees[static_cast<int>(s.attribute)]);
      outputs_at[i] = outputs.size();
      outputs.push_back(emit_inlined(q, called, ir::arguments_of(q, s), s.scopes));
      at.push_back(ir::no_value);
    } else if (s.code == ir::opcode::result && outputs_at[p[i].operands[0]] >= 0) {
      at.push_back(outputs[outputs_at[p[i].operands[0]]][static_cast<int>(s.attribute)]);
    } else {
      if (ir::is_scan(s.code))
        s.attribute = ir::callee_number(q, inline_calls(p.callees[static_cast<int>(s.attribute)]));
      at.push_back(q.emit(s));
    }
  }
  ir::carry_attachments(p, q, at);
  return q;
}

}  // namespace stg::pass
