// The larger and the smaller of two numbers: <algorithm>, which has them too, costs a user's file more than the
// kernels' loops.
#pragma once

#include <stg/base/config.hpp>  // STG_HOST_DEVICE

namespace stg {

template <class T> STG_HOST_DEVICE constexpr T larger(T a, T b) { return a < b ? b : a; }
template <class T> STG_HOST_DEVICE constexpr T smaller(T a, T b) { return b < a ? b : a; }

}  // namespace stg
