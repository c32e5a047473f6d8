// What a maximum begins with, and what it takes off exponents.
#pragma once

#include <limits>  // numeric_limits

#include <stg/base/config.hpp>  // STG_HOST_DEVICE, STG_LANEWISE

namespace stg {

/// -∞, or the least number of a type without one. NaN is not larger than it: a maximum that begins with this leaves NaN
/// behind wherever among the numbers they stand, so parts of them can be taken in any order.
template <class T> STG_HOST_DEVICE constexpr T lowest() {
  return std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
}

/// x, or 0 where it is infinite: what log Σ exp takes off each score, so that Σ exp of an infinite one is infinite.
template <class V> STG_LANEWISE constexpr V finite_or_zero(const V& x) { return x - x == V{} ? x : V{}; }

}  // namespace stg
