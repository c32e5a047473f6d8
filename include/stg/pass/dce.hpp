// dce: drops statements that no output needs, and steps without statements left. Runs after every pass that leaves some
// behind: they would be planned and compiled with the program.
#pragma once

#include <stg/base/sequence.hpp>   // sequence
#include <stg/ir/program.hpp>      // program
#include <stg/ir/rewriting.hpp>    // rewriting
#include <stg/analysis/users.hpp>  // reachable

namespace stg::pass {

namespace detail {
/// Gives q the callees of p that used statements name. Their new numbers, by the old ones.
constexpr sequence<int> take_used_callees(const ir::program& p, const ir::flags& used, ir::program& q) {
  sequence<int> number(p.callees.size(), -1);
  for (ir::value_id i = 0, n = p.size(); i < n; ++i)
    if (used[i] && ir::has_callee(p[i])) number[p[i].callee()] = 0;
  q.callees.clear();
  for (int k = 0; k < p.callees.size(); ++k) {
    if (number[k] < 0) continue;
    number[k] = q.callees.size();
    q.callees.push_back(p.callees[k]);
  }
  return number;
}
}  // namespace detail

/// Whether all of a program is needed: nothing is to be dropped.
constexpr bool all_used(const ir::program& p, const ir::flags& used) {
  ir::flags called(p.callees.size());
  for (ir::value_id i = 0, n = p.size(); i < n; ++i) {
    if (!used.first[i]) return false;
    if (ir::has_callee(p[i])) called[p[i].callee()] = 1;
  }
  for (const unsigned char c : called)
    if (!c) return false;
  return !p.scopes_apart;
}

constexpr ir::program dce(const ir::program& p) {
  const ir::flags used = reachable(p);
  if (all_used(p, used)) return p;
  ir::rewriting all(p);
  sequence<int> callee;
  if (!p.callees.empty()) callee = detail::take_used_callees(p, used, all.q);
  return all.run([&](ir::rewriting& r, ir::value_id i) {
    if (!used[i]) return ir::no_value;
    ir::statement s = r.renamed(i);
    if (ir::has_callee(s)) s.set_callee(callee[s.callee()]);
    return r.q.emit(s);
  });
}

}  // namespace stg::pass
