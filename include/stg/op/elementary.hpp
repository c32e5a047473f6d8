// Elementary functions and activations: exp exp2 expm1 log log2 log1p sqrt rsqrt cbrt erf tanh sigmoid relu leaky_relu
// elu.
#pragma once

#include <numbers>  // ln2, inv_sqrtpi

#include <stg/base/config.hpp>   // STG_LANEWISE
#include <stg/base/math.hpp>     // functions, splat
#include <stg/dsl/build.hpp>     // pointwise
#include <stg/op/functions.hpp>  // STG_REAL_FUNCTION
#include <stg/op/operation.hpp>  // pointwise
#include <stg/op/unread.hpp>     // STG_TAKES_VALUES

namespace stg::op {

struct exp : pointwise<ir::opcode::exp, 1> {
  static constexpr op::domain domain{.first = {-3, 3}};
  static constexpr bool finite = false;
  static constexpr int cost = 12;
  static constexpr op::ulps within{1.1, 1};
  STG_EVALUATES_AS_MATH(exp)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.cotangent() * d.result()); }
};

struct exp2 : pointwise<ir::opcode::exp2, 1> {
  static constexpr op::domain domain{.first = {-3, 3}};
  static constexpr bool finite = false;
  static constexpr int cost = 12;
  static constexpr op::ulps within{1.2, 1};
  STG_EVALUATES_AS_MATH(exp2)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.number(std::numbers::ln2) * d.result());
  }
};

/// exp(x) - 1, exact near 0.
struct expm1 : pointwise<ir::opcode::expm1, 1> {
  static constexpr op::domain domain{.first = {-3, 3}};
  static constexpr bool finite = false;
  static constexpr int cost = 14;
  static constexpr op::ulps within{2, 1};
  STG_EVALUATES_AS_MATH(expm1)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * (d.result() + d.one()));
  }
};

struct log : pointwise<ir::opcode::log, 1> {
  static constexpr op::domain domain{.first = {.low = 0.1}};
  static constexpr bool finite = false;
  static constexpr int cost = 12;
  static constexpr op::ulps within{1.1, 1};
  STG_EVALUATES_AS_MATH(log)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.cotangent() / d.operand(0)); }
};

struct log2 : pointwise<ir::opcode::log2, 1> {
  static constexpr op::domain domain{.first = {.low = 0.1}};
  static constexpr bool finite = false;
  static constexpr int cost = 20;
  static constexpr op::ulps within{1, 1};
  STG_EVALUATES_AS_MATH(log2)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.number(1 / std::numbers::ln2) / d.operand(0));
  }
};

/// log(1 + x), exact near 0.
struct log1p : pointwise<ir::opcode::log1p, 1> {
  static constexpr op::domain domain{.first = {.low = -0.8}};
  static constexpr bool finite = false;
  static constexpr int cost = 18;
  static constexpr op::ulps within{1.5, 1};
  STG_EVALUATES_AS_MATH(log1p)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() / (d.operand(0) + d.one()));
  }
};

struct sqrt : pointwise<ir::opcode::sqrt, 1> {
  static constexpr op::domain domain{.first = {.low = 0.1}};
  static constexpr bool finite = false;
  static constexpr int cost = 6;
  static constexpr op::ulps within{0.5, 0.5};
  STG_EVALUATES_AS_MATH(sqrt)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.number(0.5) / d.result());
  }
};

struct rsqrt : pointwise<ir::opcode::rsqrt, 1> {
  static constexpr op::domain domain{.first = {.low = 0.1}};
  static constexpr bool finite = false;
  static constexpr int cost = 8;
  static constexpr op::ulps within{1.5, 1.5};
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::splat<T>(1) / math::functions<T>::sqrt(a); }
  static long double exact(long double a) { return 1 / __builtin_sqrtl(a); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.number(-0.5) * d.result() / d.operand(0));
  }
};

/// The cube root, of negative numbers too; its slope is infinite at 0.
struct cbrt : pointwise<ir::opcode::cbrt, 1> {
  static constexpr op::domain domain{.first = {.hole = 0.1}};
  static constexpr int cost = 30;
  static constexpr op::ulps within{1, 4};
  STG_EVALUATES_AS_MATH(cbrt)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.number(1.0 / 3) / (d.result() * d.result()));
  }
};

/// 2/√π ∫₀ˣ exp(-t²) dt. Abramowitz & Stegun, 7.1.1; its slope is 7.1.19.
struct erf : pointwise<ir::opcode::erf, 1> {
  static constexpr op::domain domain{};
  static constexpr std::string_view source = "Abramowitz & Stegun, 7.1.1, 7.1.19";
  static constexpr int cost = 30;
  static constexpr op::ulps within{1.3, 1};
  STG_EVALUATES_AS_MATH(erf)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto x = d.operand(0);
    d.add(0, d.cotangent() * d.number(2 * std::numbers::inv_sqrtpi) * d.exp(-(x * x)));
  }
};

struct tanh : pointwise<ir::opcode::tanh, 1> {
  static constexpr op::domain domain{.first = {-30, 30}};
  static constexpr int cost = 16;
  static constexpr op::ulps within{3, 2};
  STG_EVALUATES_AS_MATH(tanh)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * (d.one() - d.result() * d.result()));
  }
};

struct sigmoid : pointwise<ir::opcode::sigmoid, 1> {
  static constexpr op::domain domain{.first = {-30, 30}};
  static constexpr int cost = 16;
  template <class T> STG_LANEWISE static T apply(const T& a) {
    return math::splat<T>(1) / (math::splat<T>(1) + math::functions<T>::exp(-a));
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.result() * (d.one() - d.result()));
  }
};

/// Its gradient at 0 is 0.
struct relu : pointwise<ir::opcode::relu, 1> {
  static constexpr op::domain domain{.at = kink::zero};
  template <class T> STG_LANEWISE static constexpr T apply(const T& a) { return a < T{} ? T{} : a; }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.select(d.zero() < d.result(), d.cotangent(), d.zero()));
  }
};

/// x where x > 0, slope · x elsewhere. Maas et al., ICML 2013.
struct leaky_relu : pointwise<ir::opcode::leaky_relu, 1> {
  static constexpr op::domain domain{.at = kink::zero};
  static constexpr std::string_view source = "Maas et al., ICML 2013";
  static constexpr bool takes_number = true;
  template <class T> STG_LANEWISE static constexpr T apply(double slope, const T& a) {
    return T{} < a ? a : math::splat<T>(slope) * a;
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.select(d.zero() < d.operand(0), d.one(), d.number(d.statement().slope())));
  }
};

/// x where x > 0, alpha · (exp(x) - 1) elsewhere. Clevert et al., ICLR 2016.
struct elu : pointwise<ir::opcode::elu, 1> {
  static constexpr op::domain domain{.at = kink::zero, .first = {-30, 30}};
  static constexpr std::string_view source = "Clevert et al., ICLR 2016";
  static constexpr bool takes_number = true;
  static constexpr int cost = 14;
  template <class T> STG_LANEWISE static T apply(double alpha, const T& a) {
    const T negative = T{} < a ? T{} : a;  // keeps the branch not taken finite, and NaN a NaN
    return T{} < a ? a : math::splat<T>(alpha) * math::functions<T>::expm1(negative);
  }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    const double alpha = d.statement().alpha();  // above 0 the result has x's sign, and x need not be saved beside it
    auto sign = alpha > 0 ? d.result() : d.operand(0);
    d.add(0, d.cotangent() * d.select(d.zero() < sign, d.one(), d.result() + d.number(alpha)));
  }
};

}  // namespace stg::op

namespace stg {

STG_REAL_FUNCTION(exp)
/// 2 to the power x.
STG_REAL_FUNCTION(exp2)
/// exp(x) - 1 without loss near 0.
STG_REAL_FUNCTION(expm1)
STG_REAL_FUNCTION(log)
/// The logarithm to base 2; whole numbers of powers of two.
STG_REAL_FUNCTION(log2)
/// log(1 + x) without loss near 0.
STG_REAL_FUNCTION(log1p)
STG_REAL_FUNCTION(sqrt)
/// 1 / sqrt(x).
STG_REAL_FUNCTION(rsqrt)
/// The cube root: that of -8 is -2.
STG_REAL_FUNCTION(cbrt)
/// The error function, 2/√π ∫₀ˣ exp(-t²) dt.
STG_REAL_FUNCTION(erf)
STG_REAL_FUNCTION(tanh)
/// 1 / (1 + exp(-x)).
STG_REAL_FUNCTION(sigmoid)
/// max(x, 0).
STG_REAL_FUNCTION(relu)
/// x where x > 0, slope · x elsewhere.
template <class S, class Sh, scalar_type T> constexpr auto leaky_relu(expr<S, Sh, T> x, double slope = 0.01) {
  static_assert(is_real(T), "stg: leaky_relu takes a real value; write cast<f32>(x)");
  ir::statement s = detail::statement_of<S, Sh, T>(*x.trace, ir::opcode::leaky_relu, x.id);
  s.set_slope(slope);
  return detail::emit_with<S, Sh, T>(x.trace, s);
}
/// x where x > 0, alpha · (exp(x) - 1) elsewhere.
template <class S, class Sh, scalar_type T> constexpr auto elu(expr<S, Sh, T> x, double alpha = 1) {
  static_assert(is_real(T), "stg: elu takes a real value; write cast<f32>(x)");
  ir::statement s = detail::statement_of<S, Sh, T>(*x.trace, ir::opcode::elu, x.id);
  s.set_alpha(alpha);
  return detail::emit_with<S, Sh, T>(x.trace, s);
}

// Called on what was not read.
STG_TAKES_VALUES(exp)
STG_TAKES_VALUES(exp2)
STG_TAKES_VALUES(expm1)
STG_TAKES_VALUES(log)
STG_TAKES_VALUES(log2)
STG_TAKES_VALUES(log1p)
STG_TAKES_VALUES(sqrt)
STG_TAKES_VALUES(rsqrt)
STG_TAKES_VALUES(cbrt)
STG_TAKES_VALUES(erf)
STG_TAKES_VALUES(tanh)
STG_TAKES_VALUES(sigmoid)
STG_TAKES_VALUES(relu)
STG_TAKES_VALUES(leaky_relu)
STG_TAKES_A_NUMBER(leaky_relu, 1, "leaky_relu(x, 0.2)")
STG_TAKES_VALUES(elu)
STG_TAKES_A_NUMBER(elu, 1, "elu(x, 1.0)")

#define STG_TAKES_ONE(function) STG_TAKES_ARGUMENTS(function, 1, 1, #function "(x)")
STG_TAKES_ONE(exp)
STG_TAKES_ONE(log)
STG_TAKES_ONE(sqrt)
STG_TAKES_ONE(tanh)
STG_TAKES_ONE(sigmoid)
STG_TAKES_ONE(relu)
#undef STG_TAKES_ONE
STG_TAKES_ARGUMENTS(leaky_relu, 1, 2, "leaky_relu(x, 0.2)")
STG_TAKES_ARGUMENTS(elu, 1, 2, "elu(x, 1.0)")

// The number first, and in brackets: what to write.
STG_INSTEAD_FOR((detail::Number Slope, Expression X), sizeof(X) == 0,
                "stg: leaky_relu takes the value, then the slope: leaky_relu(x, 0.2)",
                constexpr mistake leaky_relu(Slope, const X&))
STG_INSTEAD_FOR((detail::Number Alpha, Expression X), sizeof(X) == 0,
                "stg: elu takes the value, then alpha: elu(x, 1.0)", constexpr mistake elu(Alpha, const X&))
STG_INSTEAD_FOR((auto Slope, Expression X), sizeof(X) == 0,
                "stg: the slope is an argument, not in brackets: leaky_relu(x, 0.2)",
                constexpr mistake leaky_relu(const X&))
STG_INSTEAD_FOR((auto Alpha, Expression X), sizeof(X) == 0, "stg: alpha is an argument, not in brackets: elu(x, 1.0)",
                constexpr mistake elu(const X&))

}  // namespace stg
