// write_steps: scans of a fixed number of steps, written one step after another.
//
// If each step reads other rows than the one before it, as over the hops of a sample (by_hops.hpp), a step is no
// program of its own. Only carried values are written so: values for each step, given or collected, lie step by step
// for all rows alike, and random draws are told apart by steps, which are gone then. Such scans stay. Runs on a program
// with its calls written in their places.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/sequence.hpp>       // sequence
#include <stg/ir/attachments.hpp>      // carry_attachments
#include <stg/ir/callees.hpp>          // arguments_of, callee_number
#include <stg/ir/program.hpp>          // program
#include <stg/ir/sites.hpp>            // site_count
#include <stg/pass/autodiff.hpp>       // differentiate, which scan_gradient.hpp declares
#include <stg/pass/inline.hpp>         // emit_inlined
#include <stg/pass/scan_gradient.hpp>  // made_alone

namespace stg::pass {

namespace detail {

/// Whether a scan carries all its arguments and results, at most so many steps far.
constexpr bool carries_all(const ir::program& p, ir::value_id scan, int most_steps) {
  const ir::statement& s = p[scan];
  if (s.code != ir::opcode::scan || ir::is_call(s) || !s.over.is_static() || s.over.code > most_steps) return false;
  for (const ir::value_id x : ir::arguments_of(p, s))
    if (p[x].is_sequence()) return false;
  for (ir::value_id r = scan + 1; r < p.size(); ++r)
    if (p[r].code == ir::opcode::result && p[r].operands[0] == scan && p[r].output() >= s.carried()) return false;
  return ir::site_count(p.callees[s.callee()]) == 0;
}

}  // namespace detail

constexpr ir::program write_steps(const ir::program& p, int most_steps) {
  ir::program q = ir::blank_like(p);
  q.callees.clear();
  sequence<ir::value_id> at;
  sequence<sequence<ir::value_id>> carried;  // by written scan
  sequence<int> number(p.size(), -1);        // of these scans
  for (ir::value_id i = 0; i < p.size(); ++i) {
    ir::statement s = ir::renamed(p[i], at);
    if (detail::carries_all(p, i, most_steps)) {
      const ir::program step = write_steps(p.callees[s.callee()], most_steps);
      sequence<ir::value_id> given = ir::arguments_of(q, s);
      for (std::int64_t k = 0; k < s.over.code; ++k) {
        const sequence<ir::value_id> next = emit_inlined(q, step, given, s.scopes);
        for (int c = 0; c < s.carried(); ++c) given[c] = next[c];
      }
      number[i] = carried.size();
      carried.push_back(given);
      at.push_back(ir::no_value);
    } else if (s.code == ir::opcode::result && number[p[i].operands[0]] >= 0) {
      at.push_back(carried[number[p[i].operands[0]]][s.output()]);
    } else {
      if (ir::has_callee(s)) s.set_callee(ir::callee_number(q, write_steps(p.callees[s.callee()], most_steps)));
      if (s.code == ir::opcode::scan_gradient && s.operands[1] == ir::no_value)  // its scan is written
        s = made_alone(q, s, q.callees[s.callee()]);
      at.push_back(q.emit(s));
    }
  }
  ir::carry_attachments(p, q, at);
  return q;
}

}  // namespace stg::pass
