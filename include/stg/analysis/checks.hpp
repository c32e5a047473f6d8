// Checks before a program runs (labels in their range, masks that name something): whether a pass keeps them.
#pragma once

#include <stg/ir/program.hpp>  // program, label_range

namespace stg::pass {

namespace detail {

/// The input of the same name in both programs; or no value in both. Computed values are not checked.
constexpr bool is_same_input(const ir::program& p, ir::value_id a, const ir::program& q, ir::value_id b) {
  if (a == ir::no_value || b == ir::no_value) return a == b;
  if (p[a].code != ir::opcode::input) return true;
  return q[b].code == ir::opcode::input && p.inputs[p[a].entry()] == q.inputs[q[b].entry()];
}
constexpr bool is_same_check(const ir::program& p, const ir::label_range& a, const ir::program& q,
                             const ir::label_range& b) {
  return is_same_input(p, a.labels, q, b.labels) && is_same_input(p, a.mask, q, b.mask) &&
         p.polynomial_of(a.classes) == q.polynomial_of(b.classes);
}

}  // namespace detail

/// Whether every check before p runs is made before q runs, too. q: p after a pass.
///
///   static_assert(stg::pass::keeps_checks(before, pass(before)));
constexpr bool keeps_checks(const ir::program& p, const ir::program& q) {
  for (const ir::label_range& wanted : p.checks) {
    bool found = false;
    for (const ir::label_range& c : q.checks) found = found || detail::is_same_check(p, wanted, q, c);
    if (!found) return false;
  }
  return true;
}

}  // namespace stg::pass
