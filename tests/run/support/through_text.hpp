// Programs through their text and back: all that a program says is there again.
#pragma once

#include <stg/ir/text.hpp>  // from_text, to_text

#include <gtest/gtest.h>  // AssertionResult

#include <cstdint>  // uint64_t
#include <string>   // string

namespace stg::test {

/// What of q is another than in p; empty where nothing is. More than == looks at: scopes, names, tags, starts.
inline std::string difference(const ir::program& p, const ir::program& q) {
  const auto bits = [](double x) { return __builtin_bit_cast(std::uint64_t, x); };
  if (p.size() != q.size()) return "another number of statements";
  for (ir::value_id i = 0; i < p.size(); ++i) {
    if (!p[i].computes_same(q[i])) return "statement %" + std::to_string(i);
    if (p[i].scopes != q[i].scopes) return "scopes of %" + std::to_string(i);
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
  if (!(p.checks == q.checks)) return "checks";
  if (!(p.kinds == q.kinds)) return "kinds";
  if (p.forward_outputs != q.forward_outputs || p.splits != q.splits) return "what a step is";
  if (p.scopes_apart != q.scopes_apart) return "whether it was traced";
  if (p.callees.size() != q.callees.size()) return "another number of steps";
  for (int k = 0; k < p.callees.size(); ++k)
    if (const std::string inside = difference(p.callees[k], q.callees[k]); !inside.empty())
      return "step " + std::to_string(k) + ": " + inside;
  return p == q ? "" : "==";
}

/// Whether a program is read back from its text, and has the same text then.
inline testing::AssertionResult goes_through_text(const ir::program& p) {
  const std::string text = ir::to_text(p);
  try {
    const ir::program q = ir::from_text(text);
    const std::string other = difference(p, q);
    if (!other.empty()) return testing::AssertionFailure() << other << " is not read back\n" << text << ir::to_text(q);
    if (ir::to_text(q) != text) return testing::AssertionFailure() << "another text\n" << text << ir::to_text(q);
  } catch (const error& e) {
    return testing::AssertionFailure() << e.what() << '\n' << text;
  }
  return testing::AssertionSuccess();
}

}  // namespace stg::test
