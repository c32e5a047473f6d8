// Calling a program from a program.
//
// A call is a scan of one step that carries nothing (ir::is_call). So everything that knows scans knows calls, their
// gradients and their saved values, and an equal program called at several places is stored once; inline.hpp writes
// called programs in the places of their calls.
#pragma once

#include <stg/base/error.hpp>          // error
#include <stg/base/sequence.hpp>       // sequence
#include <stg/ir/callees.hpp>          // extent_in, recode, take_extents, emit_arguments, callee_number
#include <stg/ir/program.hpp>          // program
#include <stg/ir/sites.hpp>            // site_count
#include <stg/pass/autodiff.hpp>       // differentiate, which scan_gradient.hpp declares
#include <stg/pass/scan_gradient.hpp>  // emit_result

namespace stg {

/// Thrown: a call passes more or fewer values than the program has inputs, or one of another kind.
struct call_passes_other_values : error {
  call_passes_other_values()
      : error(
            "a call passes other values than the program has inputs; pass one for each, of its space, shape and type") {
  }
};

}  // namespace stg

namespace stg::pass {

namespace detail {

/// A program as a callee, with the extents of its caller. Checks before it runs are left to the caller.
constexpr ir::program as_callee(ir::program called, ir::program& caller) {
  ir::recode(called, caller);
  called.checks.clear();
  ir::take_extents(called, caller);
  return called;
}

constexpr bool same_kind(const ir::statement& a, const ir::statement& b) {
  return a.where == b.where && a.type == b.type && a.dims == b.dims && a.over == b.over;
}

}  // namespace detail

/// Calls a program with a value of the caller for each of its inputs, by entry; no_value for an unread one. Returns the
/// call; `emit_result(caller, call, k)` is its output k. Labels and masks among the inputs are checked before the
/// caller runs. Random numbers are the called program's, `first_site` further on: ir::site_count(caller) for numbers of
/// its own, and for a gradient's call the site of the call before it. Throws call_passes_other_values.
constexpr ir::value_id emit_call(ir::program& caller, const ir::program& called, const sequence<ir::value_id>& passed,
                                 int first_site = 0) {
  const ir::program step = detail::as_callee(called, caller);
  if (passed.size() != step.inputs.size()) throw call_passes_other_values();
  const auto is_value = [&](ir::value_id at) { return at >= 0 && at < caller.size(); };
  for (const ir::statement& in : step.statements)
    if (in.code == ir::opcode::input &&
        !(is_value(passed[in.entry()]) && detail::same_kind(in, caller[passed[in.entry()]])))
      throw call_passes_other_values();
  sequence<ir::value_id> list = passed;
  for (ir::value_id& at : list)
    if (!is_value(at)) at = constant(caller, f32, 0).id;  // nobody reads it
  for (ir::label_range c : called.checks) {
    const auto outside = [&](ir::value_id at) {
      return at != ir::no_value && called[at].code == ir::opcode::input ? passed[called[at].entry()] : ir::no_value;
    };
    const ir::value_id mask = outside(c.mask);
    if (outside(c.labels) == ir::no_value || (c.mask != ir::no_value && mask == ir::no_value)) continue;
    c.labels = outside(c.labels);
    c.mask = mask;
    c.classes = ir::extent_in(c.classes, called, caller);
    caller.checks.push_back(c);
  }
  ir::statement s;
  s.code = ir::opcode::scan;
  s.operands[0] = ir::emit_arguments(caller, list);
  s.set_callee(ir::callee_number(caller, step));
  s.over = ir::extent(1);
  s.set_first_site(ir::site_count(step) == 0 ? 0 : first_site);
  return caller.emit(s);
}

}  // namespace stg::pass
