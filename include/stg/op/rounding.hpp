// Functions that move in steps: sign floor ceil round fmod; and detach, which takes a value out of the gradient.
#pragma once

#include <stg/base/config.hpp>   // STG_LANEWISE
#include <stg/base/math.hpp>     // functions, splat
#include <stg/dsl/build.hpp>     // pointwise, STG_CHECK_PLACES
#include <stg/op/functions.hpp>  // STG_REAL_FUNCTION
#include <stg/op/operation.hpp>  // pointwise
#include <stg/op/unread.hpp>     // STG_TAKES_VALUES

namespace stg::op {

/// A slope of 0 between steps and none at them: to ask for a gradient is a mistake, which would train nothing unseen.
template <ir::opcode Code> struct step : pointwise<Code, 1> {
  static constexpr bool differentiable = false;
  static constexpr int refused_operands = 1;
  static constexpr int cost = 4;
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};

/// -1, 0 or 1; zeros and NaN as they are.
struct sign : step<ir::opcode::sign> {
  static constexpr op::domain domain{op::operands::numbers, kink::zero};
  static constexpr op::operands operands = op::operands::numbers;
  STG_REFUSES_GRADIENT("sign, which has none", "x + detach(sign(x) - x) to pass it on");
  static constexpr int cost = 2;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a) {
    const T least = a < T{} ? math::splat<T>(-1) : a;
    return T{} < a ? math::splat<T>(1) : least;
  }
};
struct floor : step<ir::opcode::floor> {
  static constexpr op::domain domain{.at = kink::whole};
  STG_REFUSES_GRADIENT("floor, which has none", "x + detach(floor(x) - x) to pass it on");
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::floor(a); }
};
struct ceil : step<ir::opcode::ceil> {
  static constexpr op::domain domain{.at = kink::whole};
  STG_REFUSES_GRADIENT("ceil, which has none", "x + detach(ceil(x) - x) to pass it on");
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::ceil(a); }
};
/// Half to even.
struct round : step<ir::opcode::round> {
  static constexpr op::domain domain{.at = kink::half};
  STG_REFUSES_GRADIENT("round, which has none", "x + detach(round(x) - x) to pass it on");
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::round(a); }
};

/// What is left of a, with its sign, after taking away b a whole number of times; exact. Its slope is 1 in a; in b it
/// jumps with that number, and none is given.
struct fmod : pointwise<ir::opcode::fmod, 2> {
  static constexpr op::domain domain{.at = kink::ratio, .second = {.hole = 0.1}};
  static constexpr bool finite = false;
  static constexpr int cost = 40;
  static constexpr int refused_operands = 2;
  STG_REFUSES_GRADIENT("fmod's divisor", "fmod(x, detach(y))");
  template <class T> STG_LANEWISE static T apply(const T& a, const T& b) { return math::functions<T>::fmod(a, b); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.cotangent()); }
};

/// The same value, through which no gradient passes.
/// attribute: 1 where it is a shift, that is, where nothing depends on it that is computed with it.
struct detach : pointwise<ir::opcode::detach, 1> {
  static constexpr op::domain domain{};
  static constexpr bool differentiable = false;
  static constexpr bool expands = true;
  static constexpr int cost = 0;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a) { return a; }
  template <class Context> static constexpr auto expand(Context& c) { return c.operand(0); }
  template <class Adjoint> static constexpr void gradient(Adjoint&) {}
};

}  // namespace stg::op

namespace stg {

// No gradient passes through the following four, nor through fmod's divisor: floor(detach(x)) says that none is meant.

/// -1 below 0, 0 at 0, 1 above.
STG_REAL_FUNCTION(sign)
/// The next whole number below.
STG_REAL_FUNCTION(floor)
/// The next whole number above.
STG_REAL_FUNCTION(ceil)
/// The nearest whole number, the even one of two: 0.5 gives 0, 1.5 gives 2.
STG_REAL_FUNCTION(round)

/// The remainder of a by b, with a's sign: fmod(-5, 3) is -2; NaN where b is 0.
STG_REAL_FUNCTION_OF_TWO(fmod)

namespace detail {
/// The same of what is taken off and given back, as the largest score of a log Σ exp is: finite differences leave it as
/// it comes, where they hold what else is detached.
template <class S, class Sh, scalar_type T> constexpr auto shift_of(expr<S, Sh, T> x) {
  ir::statement s = statement_of<S, Sh, T>(*x.trace, ir::opcode::detach, x.id);
  s.set_shifted();
  return emit_with<S, Sh, T>(x.trace, s);
}
}  // namespace detail

/// x, for gradients a constant.
template <class S, class Sh, scalar_type T> constexpr auto detach(expr<S, Sh, T> x) {
  return detail::pointwise<ir::opcode::detach>(x);
}

// Called on what was not read.
STG_TAKES_VALUES(sign)
STG_TAKES_VALUES(floor)
STG_TAKES_VALUES(ceil)
STG_TAKES_VALUES(round)
STG_TAKES_VALUES(fmod)
STG_TAKES_VALUES(detach)

}  // namespace stg
