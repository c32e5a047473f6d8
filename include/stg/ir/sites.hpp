// Sites: the random numbers that the masks of a program draw. A called program counts its own from 0, and a call says
// the first of them among the caller's, so that equal layers with dropout are one program. Steps of scans count on.
#pragma once

#include <stg/ir/callees.hpp>  // callee_number
#include <stg/ir/program.hpp>  // program

namespace stg::ir {

/// The number of sites that a program takes, its callees included.
constexpr int site_count(const program& p) {
  int count = 0;
  for (const statement& s : p.statements) {
    int end = 0;
    if (s.code == opcode::keep_mask) end = s.site() + 1;
    if (has_callee(s)) end = site_count(p.callees[s.callee()]);
    if (is_call(s) && end > 0) end += first_site(s);
    count = count < end ? end : count;
  }
  return count;
}

/// A program whose sites begin at `first`.
constexpr program with_sites_from(int first, const program& p) {
  if (first == 0 || site_count(p) == 0) return p;
  program q = p;
  q.callees.clear();
  for (statement& s : q.statements) {
    if (s.code == opcode::keep_mask) s.set_site(s.site() + first);
    if (!has_callee(s)) continue;
    const program& called = p.callees[s.callee()];
    if (is_call(s) && site_count(called) > 0) s.set_first_site(first_site(s) + first);
    if (is_call(s)) s.set_callee(callee_number(q, called));
    else s.set_callee(callee_number(q, with_sites_from(first, called)));
  }
  q.reserve(q.size());  // and hashes anew the changed statements
  return q;
}

}  // namespace stg::ir
