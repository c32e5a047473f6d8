// Trigonometric and hyperbolic functions: sin cos tan asin acos atan sinh cosh.
#pragma once

#include <stg/base/config.hpp>    // STG_LANEWISE
#include <stg/base/math.hpp>      // functions
#include <stg/dsl/build.hpp>      // pointwise
#include <stg/op/arithmetic.hpp>  // operator/
#include <stg/op/operation.hpp>   // pointwise
#include <stg/op/unread.hpp>      // STG_TAKES_VALUES

namespace stg::op {

struct sin : pointwise<ir::opcode::sin, 1> {
  static constexpr op::domain domain{.first = {-30, 30}};
  static constexpr int cost = 24;
  static constexpr op::ulps within{2, 1};
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::sin(a); }
  static long double exact(long double a) { return __builtin_sinl(a); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) { d.add(0, d.cotangent() * d.cos(d.operand(0))); }
};

struct cos : pointwise<ir::opcode::cos, 1> {
  static constexpr op::domain domain{.first = {-30, 30}};
  static constexpr int cost = 24;
  static constexpr op::ulps within{2, 1};
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::cos(a); }
  static long double exact(long double a) { return __builtin_cosl(a); }
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
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::asin(a); }
  static long double exact(long double a) { return __builtin_asinl(a); }
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
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::acos(a); }
  static long double exact(long double a) { return __builtin_acosl(a); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    auto x = d.operand(0);
    d.add(0, -(d.cotangent() * d.rsqrt(d.one() - x * x)));
  }
};

struct atan : pointwise<ir::opcode::atan, 1> {
  static constexpr op::domain domain{};
  static constexpr int cost = 40;
  static constexpr op::ulps within{1, 1};
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::atan(a); }
  static long double exact(long double a) { return __builtin_atanl(a); }
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
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::sinh(a); }
  static long double exact(long double a) { return __builtin_sinhl(a); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.cosh(d.operand(0)));
  }
};

struct cosh : pointwise<ir::opcode::cosh, 1> {
  static constexpr op::domain domain{.first = {-3, 3}};
  static constexpr bool finite = false;
  static constexpr int cost = 40;
  static constexpr op::ulps within{2, 2};
  template <class T> STG_LANEWISE static T apply(const T& a) { return math::functions<T>::cosh(a); }
  static long double exact(long double a) { return __builtin_coshl(a); }
  template <class Adjoint> static constexpr void gradient(Adjoint& d) {
    d.add(0, d.cotangent() * d.sinh(d.operand(0)));
  }
};

}  // namespace stg::op

namespace stg {

/// Of an angle in radians.
template <class S, class Sh, scalar_type T> constexpr auto sin(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: sin takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::sin>(x);
}
/// Of an angle in radians.
template <class S, class Sh, scalar_type T> constexpr auto cos(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: cos takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::cos>(x);
}
/// sin(x) / cos(x), which it shares with them.
template <class S, class Sh, scalar_type T> constexpr auto tan(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: tan takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::sin>(x) / detail::pointwise<ir::opcode::cos>(x);
}
/// The angle from -π/2 to π/2 whose sine is x.
template <class S, class Sh, scalar_type T> constexpr auto asin(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: asin takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::asin>(x);
}
/// The angle from 0 to π whose cosine is x.
template <class S, class Sh, scalar_type T> constexpr auto acos(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: acos takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::acos>(x);
}
/// The angle from -π/2 to π/2 whose tangent is x.
template <class S, class Sh, scalar_type T> constexpr auto atan(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: atan takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::atan>(x);
}
template <class S, class Sh, scalar_type T> constexpr auto sinh(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: sinh takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::sinh>(x);
}
template <class S, class Sh, scalar_type T> constexpr auto cosh(expr<S, Sh, T> x) {
  static_assert(is_real(T), "stg: cosh takes a real value; write cast<f32>(x)");
  return detail::pointwise<ir::opcode::cosh>(x);
}

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
