// Two programs compared in all that they say, which is more than == looks at.
#pragma once

#include <stg/ir/program.hpp>  // program

#include <cstdint>  // uint64_t
#include <string>   // string, to_string
#include <vector>   // vector

namespace stg::test {

/// The scopes of a statement. Equal sets may have other numbers.
inline std::vector<int> scopes_of(const ir::program& p, const ir::statement& s) {
  std::vector<int> all;
  ir::each_scope(p, s, [&](int scope) { all.push_back(scope); });
  return all;
}

/// The first difference between two programs, in scopes, names, tags, decisions and starts too; empty for equal ones.
inline std::string difference(const ir::program& p, const ir::program& q) {
  const auto bits = [](double x) { return __builtin_bit_cast(std::uint64_t, x); };
  if (p.size() != q.size()) return "another number of statements";
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (!p[i].computes_same(q[i])) return "statement %" + std::to_string(i);
    if (scopes_of(p, p[i]) != scopes_of(q, q[i])) return "scopes of %" + std::to_string(i);
  }
  if (!(p.inputs == q.inputs)) return "inputs";
  for (int e = 0; e < p.inputs.size(); ++e) {
    const ir::start &a = p.inputs[e].begins, &b = q.inputs[e].begins;
    if (a.how != b.how || bits(a.first) != bits(b.first) || bits(a.second) != bits(b.second))
      return "start of input #" + std::to_string(e);
  }
  if (!(p.extents == q.extents)) return "extents";
  if (!(p.outputs == q.outputs)) return "outputs";
  if (!(p.scopes == q.scopes)) return "scopes";
  if (!(p.names == q.names)) return "names";
  if (!(p.tags == q.tags)) return "tags";
  if (!(p.decisions == q.decisions)) return "decisions";
  if (!(p.checks == q.checks)) return "checks";
  if (!(p.kinds == q.kinds)) return "kinds";
  if (p.forward_outputs != q.forward_outputs) return "what a step is";
  if (p.scopes_apart != q.scopes_apart) return "whether it was traced";
  if (p.wrong != q.wrong) return "what is wrong with it";
  if (p.callees.size() != q.callees.size()) return "another number of steps";
  for (int k = 0; k < p.callees.size(); ++k)
    if (const std::string inside = difference(p.callees[k], q.callees[k]); !inside.empty())
      return "step " + std::to_string(k) + ": " + inside;
  return p == q ? "" : "==";
}

}  // namespace stg::test
