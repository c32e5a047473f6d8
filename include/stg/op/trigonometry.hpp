// Trigonometric and hyperbolic functions: sin cos tan asin acos atan sinh cosh.
#pragma once

#include <stg/base/config.hpp>    // STG_LANEWISE
#include <stg/base/math.hpp>      // functions
#include <stg/dsl/build.hpp>      // pointwise
#include <stg/op/arithmetic.hpp>  // operator/
#include <stg/op/functions.hpp>   // STG_REAL_FUNCTION
#include <stg/op/operation.hpp>   // pointwise
#include <stg/op/unread.hpp>      // STG_TAKES_VALUES

namespace stg::op {

struct sin : pointwise<ir::opcode::sin, 1> {
  static constexpr op::domain domain{.first = {-30, 30}};
  static constexpr int cost = 24;
  static constexpr op::ulps within{2, 1};
  STG_EVALUATES_AS_MATH(sin)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.cotangent() * d.cos(d.operand(0))); }
};

struct cos : pointwise<ir::opcode::cos, 1> {
  static constexpr op::domain domain{.first = {-30, 30}};
  static constexpr int cost = 24;
  static constexpr op::ulps within{2, 1};
  STG_EVALUATES_AS_MATH(cos)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, -(d.cotangent() * d.sin(d.operand(0))));
  }
};

/// From -π/2 to π/2; NaN beyond ±1, where its slope is infinite.
struct asin : pointwise<ir::opcode::asin, 1> {
  static constexpr op::domain domain{.first = {-0.9, 0.9}};
  static constexpr bool finite = false;
  static constexpr int cost = 40;
  static constexpr op::ulps within{1, 1};
  STG_EVALUATES_AS_MATH(asin)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto x = d.operand(0);
    d.add(0, d.cotangent() * d.rsqrt(d.one() - x * x));
  }
};

/// From 0 to π; NaN beyond ±1, where its slope is infinite.
struct acos : pointwise<ir::opcode::acos, 1> {
  static constexpr op::domain domain{.first = {-0.9, 0.9}};
  static constexpr bool finite = false;
  static constexpr int cost = 40;
  static constexpr op::ulps within{1, 1};
  STG_EVALUATES_AS_MATH(acos)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto x = d.operand(0);
    d.add(0, -(d.cotangent() * d.rsqrt(d.one() - x * x)));
  }
};

struct atan : pointwise<ir::opcode::atan, 1> {
  static constexpr op::domain domain{};
  static constexpr int cost = 40;
  static constexpr op::ulps within{1, 1};
  STG_EVALUATES_AS_MATH(atan)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto x = d.operand(0);
    d.add(0, d.cotangent() / (d.one() + x * x));
  }
};

struct sinh : pointwise<ir::opcode::sinh, 1> {
  static constexpr op::domain domain{.first = {-3, 3}};
  static constexpr bool finite = false;
  static constexpr int cost = 40;
  static constexpr op::ulps within{2, 2};
  STG_EVALUATES_AS_MATH(sinh)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.cosh(d.operand(0)));
  }
};

struct cosh : pointwise<ir::opcode::cosh, 1> {
  static constexpr op::domain domain{.first = {-3, 3}};
  static constexpr bool finite = false;
  static constexpr int cost = 40;
  static constexpr op::ulps within{2, 2};
  STG_EVALUATES_AS_MATH(cosh)
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.sinh(d.operand(0)));
  }
};

}  // namespace stg::op

namespace stg {

/// Of an angle in radians.
STG_REAL_FUNCTION(sin)
/// Of an angle in radians.
STG_REAL_FUNCTION(cos)
/// sin(x) / cos(x), which it shares with them.
template <class S, class Sh, scalar_type T> constexpr auto tan(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: tan takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::sin>(x) / detail::pointwise<ir::opcode::cos>(x);
}
/// The angle from -π/2 to π/2 whose sine is x.
STG_REAL_FUNCTION(asin)
/// The angle from 0 to π whose cosine is x.
STG_REAL_FUNCTION(acos)
/// The angle from -π/2 to π/2 whose tangent is x.
STG_REAL_FUNCTION(atan)
STG_REAL_FUNCTION(sinh)
STG_REAL_FUNCTION(cosh)

// Called on what was not read.
STG_TAKES_VALUES(sin)
STG_TAKES_VALUES(cos)
STG_TAKES_VALUES(tan)
STG_TAKES_VALUES(asin)
STG_TAKES_VALUES(acos)
STG_TAKES_VALUES(atan)
STG_TAKES_VALUES(sinh)
STG_TAKES_VALUES(cosh)

}  // namespace stg
