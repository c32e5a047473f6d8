// Elementary functions for whatever carries a number: a float, a double, or (in codegen/cpu) a vector of them.
#pragma once

#ifdef __CUDACC__
#include <cmath>  // exp, log, …
#endif
#include <limits>       // numeric_limits
#include <type_traits>  // is_arithmetic_v, is_same_v

#include <stg/base/config.hpp>  // STG_HOST_DEVICE, STG_LANEWISE

// What <cmath> calls, without its special functions, which are a twentieth of what stg.hpp reads. nvcc knows these by
// the standard's names.
#ifdef __CUDACC__
#define STG_MATH(name, ...) return std::name(__VA_ARGS__)
#else
#define STG_MATH(name, ...)                                                                   \
  if constexpr (std::is_same_v<T, float>) return __builtin_##name##f(__VA_ARGS__);            \
  else if constexpr (std::is_same_v<T, long double>) return __builtin_##name##l(__VA_ARGS__); \
  else return __builtin_##name(__VA_ARGS__)
#endif

namespace stg::math {

/// The functions of one type; vectors of lanes specialise it.
template <class T> struct functions {
  static_assert(std::is_arithmetic_v<T>, "stg internal: no elementary functions for this type");
  STG_HOST_DEVICE static T exp(T x) { STG_MATH(exp, x); }
  STG_HOST_DEVICE static T log(T x) { STG_MATH(log, x); }
  STG_HOST_DEVICE static T sqrt(T x) { STG_MATH(sqrt, x); }
  STG_HOST_DEVICE static T tanh(T x) { STG_MATH(tanh, x); }
  STG_HOST_DEVICE static T exp2(T x) { STG_MATH(exp2, x); }
  STG_HOST_DEVICE static T expm1(T x) { STG_MATH(expm1, x); }
  STG_HOST_DEVICE static T log2(T x) { STG_MATH(log2, x); }
  STG_HOST_DEVICE static T log1p(T x) { STG_MATH(log1p, x); }
  STG_HOST_DEVICE static T cbrt(T x) { STG_MATH(cbrt, x); }
  STG_HOST_DEVICE static T erf(T x) { STG_MATH(erf, x); }
  STG_HOST_DEVICE static T sin(T x) { STG_MATH(sin, x); }
  STG_HOST_DEVICE static T cos(T x) { STG_MATH(cos, x); }
  STG_HOST_DEVICE static T asin(T x) { STG_MATH(asin, x); }
  STG_HOST_DEVICE static T acos(T x) { STG_MATH(acos, x); }
  STG_HOST_DEVICE static T atan(T x) { STG_MATH(atan, x); }
  STG_HOST_DEVICE static T sinh(T x) { STG_MATH(sinh, x); }
  STG_HOST_DEVICE static T cosh(T x) { STG_MATH(cosh, x); }
  STG_HOST_DEVICE static T floor(T x) { STG_MATH(floor, x); }
  STG_HOST_DEVICE static T ceil(T x) { STG_MATH(ceil, x); }
  STG_HOST_DEVICE static T round(T x) { STG_MATH(nearbyint, x); }  // half to even
  STG_HOST_DEVICE static T pow(T x, T y) { STG_MATH(pow, x, y); }
  STG_HOST_DEVICE static T fmod(T x, T y) { STG_MATH(fmod, x, y); }
};
#undef STG_MATH

/// Neither NaN nor an infinity.
constexpr bool is_finite(double x) {
  constexpr double most = std::numeric_limits<double>::max();
  return x >= -most && x <= most;
}

/// A number in every lane of T.
template <class T> STG_LANEWISE constexpr T splat(double x) {
  if constexpr (std::is_arithmetic_v<T>) return static_cast<T>(x);
  else return functions<T>::splat(x);
}

}  // namespace stg::math
