// What differs between a training step and a plain call: training(a, b).
#pragma once

#include <stg/base/config.hpp>   // STG_LANEWISE
#include <stg/dsl/build.hpp>     // pointwise, STG_CHECK_PLACES
#include <stg/op/operation.hpp>  // pointwise
#include <stg/op/unread.hpp>     // STG_TAKES_ARGUMENTS

namespace stg::op {

/// The first operand, unless the inference pass has put the second in its place. No kernel meets it. The gradient of b
/// is for gradients inside a lambda, in a plain call; that alone does not make an input one that is trained.
struct training : pointwise<ir::opcode::training, 2> {
  static constexpr op::domain domain{op::operands::values};
  static constexpr int cost = 0;
  static constexpr int passive_operands = 2;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T&) { return a; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.training(d.cotangent(), d.zero()));
    d.add(1, d.training(d.zero(), d.cotangent()));
  }
};

}  // namespace stg::op

namespace stg {

/// a in a training step (value_and_grad, a recorded call), b when the program is called plainly. Only what is asked for
/// is computed, and the gradient is that of what is. Shapes broadcast; one of the two may be a number.
///
///   auto mean_now = training(mean(x, all_vertices), running_mean);
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("training", detail::operand_rules<A, B>)
STG_SAYS_TYPES("training", detail::operand_rules<A, B>)
constexpr auto training(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, "training");
  STG_CHECK_TYPES(rules, "training");
  if constexpr (rules::ok) return detail::pointwise<ir::opcode::training, rules::type>(a, b);
  else return detail::fallback(a, b);
}
STG_TAKES_ARGUMENTS(training, 2, 2, "training(a, b)")

}  // namespace stg
