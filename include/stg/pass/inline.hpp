// inline_calls: called programs, written in the places of their calls.
//
// For users who inspect or change a program as a whole, and for gradients that are programs of their own; autodiff
// writes them in their places. Random numbers stay as they were. Runs before gradients are made, or after their steps
// are cut (save_steps.hpp).
#pragma once

#include <stg/base/sequence.hpp>   // sequence
#include <stg/ir/attachments.hpp>  // carry_names, carry_tags, carry_decisions
#include <stg/ir/callees.hpp>      // arguments_of, callee_number
#include <stg/ir/program.hpp>      // program
#include <stg/ir/rewriting.hpp>    // rewriting
#include <stg/ir/sites.hpp>        // with_sites_from

namespace stg::pass {

/// A called program's set of scopes as one of the caller's.
constexpr int scopes_in(ir::program& caller, const ir::program& called, int scopes) {
  int set = 0;
  ir::each_scope_of_set(called, scopes,
                        [&](int k) { set = caller.set_with(set, caller.scope_number(called.scopes[k])); });
  return set;
}

/// Writes the statements of a callee with the caller's extents and a value of the caller for each of its inputs.
/// Returns its outputs.
constexpr sequence<ir::value_id> emit_inlined(ir::program& caller, const ir::program& called,
                                              const sequence<ir::value_id>& passed, int scopes = 0) {
  sequence<ir::value_id> at(called.size(), ir::no_value), outputs;
  for (ir::value_id i = 0; i < called.size(); ++i) {
    ir::statement s = ir::renamed(called[i], at);
    if (s.code == ir::opcode::input) {
      at[i] = passed[s.entry()];
      continue;
    }
    if (ir::has_callee(s)) s.set_callee(ir::callee_number(caller, called.callees[s.callee()]));
    s.scopes = caller.joined_scopes(scopes, scopes_in(caller, called, s.scopes));
    at[i] = caller.emit(s);
  }
  ir::carry_names(called, caller, at);
  ir::carry_tags(called, caller, at);
  ir::carry_decisions(called, caller, at);
  for (const ir::decision& d : called.decisions)
    if (d.whom == ir::decided_of::scope)
      ir::decide_of_scope(caller, caller.scope_number(called.scopes[d.at]), d.what, d.number);
  for (const ir::output& o : called.outputs) outputs.push_back(at[o.at]);
  return outputs;
}

/// A program with its called programs written in the places of calls, and their called programs, too.
constexpr ir::program inline_calls(const ir::program& p) {
  ir::rewriting all(p);
  all.q.callees.clear();
  sequence<sequence<ir::value_id>> outputs;  // of calls
  sequence<int> outputs_at(p.size(), -1);
  return all.run([&](ir::rewriting& r, ir::value_id i) {
    ir::statement s = r.renamed(i);
    if (ir::is_call(s)) {
      const ir::program inlined = inline_calls(p.callees[s.callee()]);
      const ir::program called = ir::with_sites_from(ir::first_site(s), inlined);
      outputs_at[i] = outputs.size();
      outputs.push_back(emit_inlined(r.q, called, ir::arguments_of(r.q, s), s.scopes));
      return ir::no_value;
    }
    if (s.code == ir::opcode::result && outputs_at[p[i].operands[0]] >= 0)
      return outputs[outputs_at[p[i].operands[0]]][s.output()];
    if (ir::has_callee(s)) s.set_callee(ir::callee_number(r.q, inline_calls(p.callees[s.callee()])));
    return r.q.emit(s);
  });
}

}  // namespace stg::pass
