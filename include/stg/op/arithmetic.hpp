// Arithmetic: + - * / unary minus, min, max, abs, pow, hypot.
#pragma once

#include <cstdint>      // int32_t, uint32_t
#include <limits>       // numeric_limits
#include <type_traits>  // is_same_v

#include <stg/base/config.hpp>   // STG_LANEWISE
#include <stg/base/math.hpp>     // functions
#include <stg/dsl/build.hpp>     // pointwise, STG_CHECK_PLACES
#include <stg/op/functions.hpp>  // STG_NUMBER_FUNCTION_OF_TWO
#include <stg/op/operation.hpp>  // pointwise
#include <stg/op/sparse.hpp>     // scale
#include <stg/op/unread.hpp>     // STG_TAKES_VALUES

namespace stg::op {

struct add : pointwise<ir::opcode::add, 2> {
  static constexpr op::domain domain{op::operands::numbers};
  static constexpr op::operands operands = op::operands::numbers;
  static constexpr bool commutative = true;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T& b) { return a + b; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent());
    d.add(1, d.cotangent());
  }
};

struct sub : pointwise<ir::opcode::sub, 2> {
  static constexpr op::domain domain{op::operands::numbers};
  static constexpr op::operands operands = op::operands::numbers;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T& b) { return a - b; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent());
    d.add(1, -d.cotangent());
  }
};

struct mul : pointwise<ir::opcode::mul, 2> {
  static constexpr op::domain domain{op::operands::numbers};
  static constexpr op::operands operands = op::operands::numbers;
  static constexpr bool commutative = true;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T& b) { return a * b; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.operand(1));
    d.add(1, d.cotangent() * d.operand(0));
  }
};

/// Of integers towards 0. There x / 0 is 0 and x / -1 wraps around: a processor's own division would end the process.
struct div : pointwise<ir::opcode::div, 2> {
  static constexpr op::domain domain{.types = op::operands::numbers, .second = {.hole = 0.1}};
  static constexpr op::operands operands = op::operands::numbers;
  static constexpr bool finite = false;
  static constexpr int cost = 4;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T& b) {
    if constexpr (std::is_same_v<T, std::int32_t>) {
      if (b == 0) return 0;
      if (b == -1) return static_cast<T>(0u - static_cast<std::uint32_t>(a));
    }
    return a / b;
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto q = d.cotangent() / d.operand(1);
    d.add(0, q);
    d.add(1, -(q * d.result()));
  }
};

struct negate : pointwise<ir::opcode::negate, 1> {
  static constexpr op::domain domain{op::operands::numbers};
  static constexpr op::operands operands = op::operands::numbers;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a) { return -a; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, -d.cotangent()); }
};

/// The first operand where they are equal, so a tie's gradient goes to it.
struct min : pointwise<ir::opcode::min, 2> {
  static constexpr op::domain domain{op::operands::numbers, kink::equal};
  static constexpr op::operands operands = op::operands::numbers;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T& b) { return b < a ? b : a; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto second = d.operand(1) < d.operand(0);
    d.add(0, d.select(second, d.zero(), d.cotangent()));
    d.add(1, d.select(second, d.cotangent(), d.zero()));
  }
};

struct max : pointwise<ir::opcode::max, 2> {
  static constexpr op::domain domain{op::operands::numbers, kink::equal};
  static constexpr op::operands operands = op::operands::numbers;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a, const T& b) { return a < b ? b : a; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto second = d.operand(0) < d.operand(1);
    d.add(0, d.select(second, d.zero(), d.cotangent()));
    d.add(1, d.select(second, d.cotangent(), d.zero()));
  }
};

struct abs : pointwise<ir::opcode::abs, 1> {
  static constexpr op::domain domain{op::operands::numbers, kink::zero};
  static constexpr op::operands operands = op::operands::numbers;
  template <class T> STG_LANEWISE static constexpr T apply(const T& a) { return a < T{} ? -a : a; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto x = d.operand(0);
    auto positive = d.select(d.zero() < x, d.cotangent(), d.zero());
    d.add(0, d.select(x < d.zero(), -d.cotangent(), positive));
  }
};

struct pow : pointwise<ir::opcode::pow, 2> {
  static constexpr op::domain domain{.first = {0.1, 20}, .second = {-3, 3}};
  static constexpr bool finite = false;
  static constexpr int cost = 40;
  template <class T> STG_LANEWISE static T apply(const T& a, const T& b) { return math::functions<T>::pow(a, b); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto x = d.operand(0);
    auto y = d.operand(1);
    auto slope = y * d.pow(x, y - d.one());
    d.add(0,
          d.cotangent() * d.select(y == d.zero(), d.zero(), slope));  // x⁰ is 1 at x = 0 too, where x⁻¹ is not finite
    if (d.wants(1)) {  // log only where the base is positive: at 0 the power is constant in its exponent
      auto positive = d.zero() < x;
      d.add(1, d.cotangent() * d.result() * d.select(positive, d.log(d.select(positive, x, d.one())), d.zero()));
    }
  }
};

/// The length of (a, b), without overflow on the way, infinite where either is. It has no slope at (0, 0).
struct hypot : pointwise<ir::opcode::hypot, 2> {
  static constexpr op::domain domain{.first = {.hole = 0.1}};
  static constexpr bool finite = false;
  static constexpr bool commutative = true;
  static constexpr int cost = 16;
  static constexpr op::ulps within{2, 2};
  template <class T> STG_LANEWISE static T apply(const T& a, const T& b) {
    const T p = a < T{} ? -a : a, q = b < T{} ? -b : b;
    const T larger = p < q ? q : p, ratio = (p < q ? p : q) / larger;
    const T length = larger * math::functions<T>::sqrt(math::splat<T>(1) + ratio * ratio);
    const T infinite = math::splat<T>(std::numeric_limits<double>::infinity());
    const T of_first = p == infinite ? p : T{} < larger ? length : larger;
    return q == infinite ? q : of_first;
  }
  static long double exact(long double a, long double b) { return __builtin_hypotl(a, b); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto in = d.cotangent() / d.result();
    d.add(0, in * d.operand(0));
    d.add(1, in * d.operand(1));
  }
};

}  // namespace stg::op

namespace stg {

// A sparse feature can be scaled by one number per vertex, or for the whole graph: x * a, a * x.

/// a + b per feature, and a - b, a * b, a / b. Shapes broadcast right-aligned; a vertex value next to an edge value is
/// read from the edge. Operands are numbers of one type.
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("+", detail::operand_rules<A, B>)
STG_SAYS_TYPES("+", detail::operand_rules<A, B>)
STG_SAYS_NUMBERS("+", detail::operand_rules<A, B>)
constexpr auto operator+(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, "+");
  STG_CHECK_TYPES(rules, "+");
  STG_CHECK_NUMBERS(rules, "+");
  if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::add, rules::type>(a, b);
  else return detail::fallback(a, b);
}
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("-", detail::operand_rules<A, B>)
STG_SAYS_TYPES("-", detail::operand_rules<A, B>)
STG_SAYS_NUMBERS("-", detail::operand_rules<A, B>)
constexpr auto operator-(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, "-");
  STG_CHECK_TYPES(rules, "-");
  STG_CHECK_NUMBERS(rules, "-");
  if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::sub, rules::type>(a, b);
  else return detail::fallback(a, b);
}
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("*", detail::scaled_rules<A, B>)
STG_SAYS_TYPES("*", detail::scaled_rules<A, B>)
STG_SAYS_NUMBERS("*", detail::scaled_rules<A, B>)
constexpr auto operator*(A a, B b) {
  using rules = detail::scaled_rules<A, B>;
  STG_CHECK_PLACES(rules, "*");
  STG_CHECK_TYPES(rules, "*");
  STG_CHECK_NUMBERS(rules, "*");
  if constexpr (rules::scales) return detail::scale(a, b);
  else if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::mul, rules::type>(a, b);
  else return detail::fallback(a, b);
}
template <class A, class B>
  requires OperandPair<A, B> STG_SAYS_PLACES("/", detail::operand_rules<A, B>)
STG_SAYS_TYPES("/", detail::operand_rules<A, B>)
STG_SAYS_NUMBERS("/", detail::operand_rules<A, B>)
constexpr auto operator/(A a, B b) {
  using rules = detail::operand_rules<A, B>;
  STG_CHECK_PLACES(rules, "/");
  STG_CHECK_TYPES(rules, "/");
  STG_CHECK_NUMBERS(rules, "/");
  if constexpr (rules::ok_numbers) return detail::pointwise<ir::opcode::div, rules::type>(a, b);
  else return detail::fallback(a, b);
}

/// There is no `a % b`: what to write.
template <class A, class B>
  requires OperandPair<A, B>
constexpr auto operator%(A a, B b) {
  static_assert(sizeof(A) == 0, "stg: % is no operation of values; write fmod(a, b), of integers a - a / b * b");
  return detail::fallback(a, b);
}

// `x += y` would have to give x another shape: values of a program do not change.
template <class A, class B>
  requires OperandPair<A, B>
constexpr A& operator+=(A& a, B) {
  constexpr bool may_change = !TracedValue<A> && !detail::is_sparse<A>;
  static_assert(may_change, "stg: x += y cannot change a value of a program; write auto z = x + y");
  return a;
}
template <class A, class B>
  requires OperandPair<A, B>
constexpr A& operator-=(A& a, B) {
  constexpr bool may_change = !TracedValue<A> && !detail::is_sparse<A>;
  static_assert(may_change, "stg: x -= y cannot change a value of a program; write auto z = x - y");
  return a;
}
template <class A, class B>
  requires OperandPair<A, B>
constexpr A& operator*=(A& a, B) {
  constexpr bool may_change = !TracedValue<A> && !detail::is_sparse<A>;
  static_assert(may_change, "stg: x *= y cannot change a value of a program; write auto z = x * y");
  return a;
}
template <class A, class B>
  requires OperandPair<A, B>
constexpr A& operator/=(A& a, B) {
  constexpr bool may_change = !TracedValue<A> && !detail::is_sparse<A>;
  static_assert(may_change, "stg: x /= y cannot change a value of a program; write auto z = x / y");
  return a;
}

/// The opposite number per feature.
template <class S, class Sh, scalar_type T> constexpr auto operator-(expr<S, Sh, T> x) {
  static_assert(is_number(T), "stg: - takes a number; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::negate>(x);
}

namespace detail {
/// What turns a maximum into a minimum, and back: -x, and -1 - x of integers, the least of which has no opposite.
template <class S, class Sh, scalar_type T> constexpr auto reversed(expr<S, Sh, T> x) {
  if constexpr (T == scalar_type::i32) return -1.0 - x;
  else return -x;
}
}  // namespace detail

/// The smaller of two values per feature; the first where they are equal.
STG_NUMBER_FUNCTION_OF_TWO(min)
/// The larger of two values per feature; the first where they are equal.
STG_NUMBER_FUNCTION_OF_TWO(max)

namespace detail {
/// The least of `number` integers, of which `most` is the largest reversed; 0 of none.
template <class Most, class Number> constexpr auto least_integer(Most most, Number number) {
  return (0.0 - min(number, 1.0)) - most;
}
}  // namespace detail

/// |x| per feature; its gradient at 0 is 0.
template <class S, class Sh, scalar_type T> constexpr auto abs(expr<S, Sh, T> x) {
  static_assert(is_number(T), "stg: abs takes a number; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::abs>(x);
}

/// a to the power b. The gradient for b is that of a positive base.
STG_REAL_FUNCTION_OF_TWO(pow)
template <class S, class Sh, scalar_type T> constexpr auto pow(double a, expr<S, Sh, T> b) {
  static_assert(is_real(T), "stg: pow takes real values; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::pow, T>(a, b);
}

/// The length of (a, b): √(a² + b²).
STG_REAL_FUNCTION_OF_TWO(hypot)
template <class S, class Sh, scalar_type T> constexpr auto hypot(double a, expr<S, Sh, T> b) { return hypot(b, a); }

// Called on what was not read.
STG_TAKES_VALUES_BESIDE(+)
STG_TAKES_VALUES_BESIDE(-)
STG_TAKES_VALUES_BESIDE(*)
STG_TAKES_VALUES_BESIDE(/)
STG_TAKES_VALUES(abs)
STG_TAKES_VALUES(pow)
STG_TAKES_VALUES(hypot)
STG_TAKES_ARGUMENTS(pow, 2, 2, "pow(x, 2)")
STG_TAKES_ARGUMENTS(hypot, 2, 2, "hypot(x, y)")
STG_TAKES_A_VALUE_BEHIND(-)

}  // namespace stg
