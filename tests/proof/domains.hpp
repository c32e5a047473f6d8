// Where random programs use an operation: types and numbers at which it is defined, bounded, and far from its kinks.
//
// Programs that are compared may add in another order, so a number is known up to rounding. Next to a step, a tie or a
// pole that would change the result altogether; no bound on the error could say by how much. So operands stay away from
// them, by `margin`, and comparisons of what programs compute need no exceptions.
#pragma once

#include <stg/codegen/interpreter.hpp>  // bounded
#include <stg/op/list.hpp>              // visit

#include <cmath>        // abs, nearbyint
#include <type_traits>  // type_identity

namespace stg::test {

/// The largest number that a random program computes, its largest magnitude, and the distance from kinks.
inline constexpr double most = op::interval::most, most_magnitude = 1e5, margin = 1e-3;

using op::domain, op::kink;

inline domain domain_of(ir::opcode code) {
  domain d;
  op::visit(code, [&]<class Op>(std::type_identity<Op>) { d = Op::domain; });
  return d;
}

inline bool away_from_whole(double x) { return std::abs(x - std::nearbyint(x)) >= margin; }

/// Whether numbers lie in the domain of a pointwise operation. Integers and truth values are exact and may be equal,
/// and so may what is one value.
inline bool is_in_domain(const domain& d, bool exact, bool same_value, const oracle::detail::bounded* x, int arity) {
  for (int k = 0; k < arity && k < 2; ++k)
    if (!d.of(k).contains(x[k].value)) return false;
  const double a = x[0].value, b = arity > 1 ? x[1].value : 0;
  switch (d.at) {
    case kink::none:
    case kink::ties:
      return true;
    case kink::zero:
      return exact || std::abs(a) >= margin;
    case kink::whole:
      return exact || away_from_whole(a);
    case kink::half:
      return exact || away_from_whole(a + 0.5);
    case kink::equal:
      return exact || same_value || std::abs(a - b) >= margin;
    case kink::ratio:
      return away_from_whole(a / b);
  }
  return false;
}

/// Whether the largest of some numbers is told from the others. Equal numbers are where they are one computation, done
/// twice: sums that come to the same by other ways, as of weights that add up to 1, are rounded in other ways too.
inline bool has_clear_maximum(const std::vector<oracle::detail::bounded>& terms) {
  if (terms.empty()) return true;
  const oracle::detail::bounded* largest = &terms[0];
  for (const oracle::detail::bounded& x : terms)
    if (x.value > largest->value) largest = &x;
  for (const oracle::detail::bounded& x : terms)
    if (x.value > largest->value - margin && (x.value != largest->value || x.magnitude != largest->magnitude))
      return false;
  return true;
}

/// Whether an operation jumps somewhere: inputs keep clear of that the first time alone.
inline bool jumps(const ir::program& p) {
  for (const ir::statement& s : p.statements)
    if (domain_of(s.code).at != kink::none) return true;
  return false;
}

/// Whether a derivative is one with a largest score held fixed, which differences see move: where a share of the
/// largest score is read by anything but a softmax.
inline bool holds_largest_scores(const ir::program& p) {
  const auto is_share = [&](ir::value_id i) {
    return p[i].code == ir::opcode::top_share_edges || p[i].code == ir::opcode::reduce_top_share;
  };
  for (const ir::output& o : p.outputs)
    if (is_share(o.at)) return true;
  for (const ir::statement& s : p.statements)
    for (int k = 0; k < s.arity(); ++k)
      if (is_share(s.operands[k]) && s.code != ir::opcode::softmax_edges && s.code != ir::opcode::softmax_axes &&
          op::info_of(s.code).kind != op::category::gather)
        return true;
  return false;
}

}  // namespace stg::test
