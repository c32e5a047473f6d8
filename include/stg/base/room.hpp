// Lengths of arrays that follow from a program: it counts in int, and an array's length is unsigned.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstddef>  // size_t

namespace stg {

/// An array of n, which is at least 1.
constexpr std::size_t array_length(int n) { return static_cast<std::size_t>(n); }
/// An array that holds n of something, of which there may be none: C++ has no array of nothing.
constexpr std::size_t room_for(int n) { return array_length(n) + 1; }

}  // namespace stg
