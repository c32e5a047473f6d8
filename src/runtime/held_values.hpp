// Which values of one type another holds.
#pragma once

#include <cmath>        // isfinite, trunc
#include <cstdint>      // int32_t, int64_t
#include <limits>       // numeric_limits
#include <type_traits>  // is_same_v, is_floating_point_v

namespace stg::detail {

/// Whether T holds the value; only the rounding of a float is forgiven. From: an integer, bool, float or double.
template <class T, class From> bool holds(From value) {
  if constexpr (std::is_same_v<T, From>) {
    return true;
  } else if constexpr (std::is_same_v<T, double> && std::is_same_v<From, std::int64_t>) {
    const auto v = static_cast<double>(value);
    return v < 0x1p63 && static_cast<std::int64_t>(v) == value;
  } else if constexpr (std::is_same_v<T, double>) {
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    if constexpr (std::is_same_v<From, double>)
      return !std::isfinite(value) || std::isfinite(static_cast<float>(value));
    else return true;
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    if constexpr (std::is_floating_point_v<From>) {
      const auto v = static_cast<double>(value);
      return v >= -0x1p63 && v < 0x1p63 && v == std::trunc(v);
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
