// Where random programs use an operation: types and numbers at which it is defined, bounded, and far from its kinks.
//
// Programs that are compared may add in another order, so a number is known up to rounding. Next to a step, a tie or a
// pole that would change the result altogether; no bound on the error could say by how much. So operands stay away from
// them, by `margin`, and comparisons of what programs compute need no exceptions.
#pragma once

#include <stg/base/error.hpp>           // error
#include <stg/codegen/interpreter.hpp>  // bounded
#include <stg/ir/opcode.hpp>            // opcode

#include <cmath>   // abs, nearbyint
#include <string>  // string

namespace stg::test {

/// The largest number that a random program computes, its largest magnitude, and the distance from kinks.
inline constexpr double most = 1e3, most_magnitude = 1e5, margin = 1e-3;

struct interval {
  double low = -most, high = most;
  double hole = 0;  // numbers below it in size are left out

  bool contains(double x) const { return low <= x && x <= high && std::abs(x) >= hole; }
};

enum class kink { none, zero, whole, half, equal, ratio, ties };
enum class takes { real, number, any };

struct domain {
  takes types = takes::real;
  kink at = kink::none;
  interval first{}, second{};  // of its operands

  const interval& of(int k) const { return k == 0 ? first : second; }
};

/// Error: an operation without an entry.
inline domain domain_of(ir::opcode code) {
  using enum ir::opcode;
  constexpr interval small{-3, 3}, positive{0.1, most}, within{-0.9, 0.9}, outside{-most, most, 0.1}, angle{-30, 30};
  switch (code) {
    case input:
    case constant:
    case extent_value:
    case vertex_count:
    case degree:
    case vertex_index:
    case edge_index:
    case iota:
    case keep_mask:
    case arguments:
    case bind:
    case scan:
    case scan_gradient:
    case own_gradient:
    case result:
    case select:
    case training:
    case broadcast_to:
    case reshape:
    case concat:
    case slice:
    case pad:
    case pick:
    case put:
    case transpose:
    case gather_src:
    case gather_dst:
      return {takes::any};
    case add:
    case sub:
    case mul:
    case negate:
    case reduce_sum:
    case sum_edges:
    case sum_vertices:
      return {takes::number};
    case matmul:
    case reduced_matmul:
    case sparse_matmul:
    case sparse_reduced_matmul:
    case var_edges:
    case detach:
    case erf:
    case atan:
      return {takes::real};
    case tanh:
    case sigmoid:
    case sin:
    case cos:
    case reduce_log_sum_exp:
    case log_sum_exp_edges:
      return {takes::real, kink::none, angle};
    case exp:
    case exp2:
    case expm1:
    case sinh:
    case cosh:
      return {takes::real, kink::none, small};
    case log:
    case log2:
    case sqrt:
    case rsqrt:
      return {takes::real, kink::none, positive};
    case log1p:
      return {takes::real, kink::none, {-0.8, most}};
    case prod_edges:
    case cbrt:
      return {takes::real, kink::none, outside};
    case asin:
    case acos:
      return {takes::real, kink::none, within};
    case pow:
      return {takes::real, kink::none, {0.1, 20}, small};
    case elu:
      return {takes::real, kink::zero, angle};
    case relu:
    case leaky_relu:
      return {takes::real, kink::zero};
    case abs:
    case sign:
      return {takes::number, kink::zero};
    case floor:
    case ceil:
      return {takes::real, kink::whole};
    case round:
      return {takes::real, kink::half};
    case cast:
      return {takes::any, kink::whole};
    case div:
      return {takes::number, kink::none, {}, outside};
    case fmod:
      return {takes::real, kink::ratio, {}, outside};
    case min:
    case max:
      return {takes::number, kink::equal};
    case less:
    case less_equal:
    case equal:
    case not_equal:
      return {takes::any, kink::equal};
    case reduce_max:
    case max_edges:
    case first_max_edge:
    case max_vertices:
      return {takes::number, kink::ties};
  }
  throw error("operation " + std::string(name_of(code)) +
              " has no domain; say in tests/proof/domains.hpp where random programs may use it");
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

}  // namespace stg::test
