// Numbers for inputs: the same everywhere, none of them special.
#pragma once

#include <cstdint>  // uint64_t
#include <random>   // mt19937_64

#include "floats.hpp"  // floats

/// Multiples of 2^-24 in [-½, ½).
inline floats filled(std::int64_t count, std::uint64_t seed) {
  floats values(count);
  std::mt19937_64 random(seed);
  for (std::int64_t i = 0; i < count; ++i) values[i] = static_cast<float>(random() >> 40) / 16777216.0f - 0.5f;
  return values;
}
