// Which values of one type another holds.
#pragma once

#include <cmath>        // isfinite, trunc
#include <cstdint>      // int32_t, int64_t, uint64_t
#include <limits>       // numeric_limits
#include <type_traits>  // is_same_v, is_floating_point_v

#include <stg/base/float16.hpp>  // bfloat16, float16

namespace stg::detail {

/// The nearest value of T; beyond its range infinity, where T is real.
template <class T, class From> double nearest(From value) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<double>(static_cast<T>(value));
  else return static_cast<double>(static_cast<float>(static_cast<T>(static_cast<float>(value))));
}

/// Whether T holds the value. Reals are rounded, and refused beyond the range of T alone; an integer is never rounded.
/// From: an integer, bool, float or double.
template <class T, class From> bool holds(From value) {
  constexpr bool to_real = std::is_floating_point_v<T> || std::is_same_v<T, bfloat16> || std::is_same_v<T, float16>;
  if constexpr (std::is_same_v<T, From>) {
    return true;
  } else if constexpr (to_real && std::is_floating_point_v<From>) {
    return !std::isfinite(value) || std::isfinite(nearest<T>(value));
  } else if constexpr (to_real) {
    const double v = nearest<T>(value);
    return v >= -0x1p63 && v < 0x1p63 && static_cast<std::int64_t>(v) == static_cast<std::int64_t>(value);
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    if constexpr (std::is_floating_point_v<From>) {
      const auto v = static_cast<double>(value);
      return v >= -0x1p63 && v < 0x1p63 && v == std::trunc(v);
    } else if constexpr (std::is_same_v<From, std::uint64_t>) {
      return value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    } else {
      return true;
    }
  } else {
    constexpr double low = std::is_same_v<T, bool> ? 0 : std::numeric_limits<std::int32_t>::min();
    constexpr double high = std::is_same_v<T, bool> ? 1 : std::numeric_limits<std::int32_t>::max();
    const auto v = static_cast<double>(value);  // exact, or beyond 2^53 and out of range either way
    return v >= low && v <= high && v == std::trunc(v);
  }
}

}  // namespace stg::detail
