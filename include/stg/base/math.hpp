// Elementary functions for whatever carries a number: a float, a double, or (in codegen/cpu) a vector of them.
#pragma once

#include <cmath>        // exp, log, …
#include <type_traits>  // is_arithmetic_v

#include <stg/base/config.hpp>  // STG_HOST_DEVICE, STG_LANEWISE

namespace stg::math {

/// The functions of one type; vectors of lanes specialise it.
template <class T> struct functions {
  static_assert(std::is_arithmetic_v<T>, "stg internal: no elementary functions for this type");
  STG_HOST_DEVICE static T exp(T x) { return std::exp(x); }
  STG_HOST_DEVICE static T log(T x) { return std::log(x); }
  STG_HOST_DEVICE static T sqrt(T x) { return std::sqrt(x); }
  STG_HOST_DEVICE static T tanh(T x) { return std::tanh(x); }
  STG_HOST_DEVICE static T exp2(T x) { return std::exp2(x); }
  STG_HOST_DEVICE static T expm1(T x) { return std::expm1(x); }
  STG_HOST_DEVICE static T log2(T x) { return std::log2(x); }
  STG_HOST_DEVICE static T log1p(T x) { return std::log1p(x); }
  STG_HOST_DEVICE static T cbrt(T x) { return std::cbrt(x); }
  STG_HOST_DEVICE static T erf(T x) { return std::erf(x); }
  STG_HOST_DEVICE static T sin(T x) { return std::sin(x); }
  STG_HOST_DEVICE static T cos(T x) { return std::cos(x); }
  STG_HOST_DEVICE static T asin(T x) { return std::asin(x); }
  STG_HOST_DEVICE static T acos(T x) { return std::acos(x); }
  STG_HOST_DEVICE static T atan(T x) { return std::atan(x); }
  STG_HOST_DEVICE static T sinh(T x) { return std::sinh(x); }
  STG_HOST_DEVICE static T cosh(T x) { return std::cosh(x); }
  STG_HOST_DEVICE static T floor(T x) { return std::floor(x); }
  STG_HOST_DEVICE static T ceil(T x) { return std::ceil(x); }
  STG_HOST_DEVICE static T round(T x) { return std::nearbyint(x); }  // half to even
  STG_HOST_DEVICE static T pow(T x, T y) { return std::pow(x, y); }
  STG_HOST_DEVICE static T fmod(T x, T y) { return std::fmod(x, y); }
};

/// A number in every lane of T.
template <class T> STG_LANEWISE constexpr T splat(double x) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(x);
  else return functions<T>::splat(x);
}

}  // namespace stg::math
