// Numbers that C++ and Python make alike, so that inputs of a gigabyte need not be written and read.
#pragma once

#include <stg/runtime/tensor.hpp>  // tensor

#include <cstdint>  // uint32_t

namespace device_bench {

/// 32 bits from an index and a seed: the finaliser of MurmurHash3 (Appleby, 2011) over a line through both.
/// numbers.py has the same.
constexpr std::uint32_t bits_of(std::uint32_t index, std::uint32_t seed) {
  std::uint32_t h = index * 2654435761u + seed * 2246822519u;
  h ^= h >> 16;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  h *= 0xC2B2AE35u;
  return h ^ h >> 16;
}
/// scale times a multiple of 2^-24 in [-½, ½).
constexpr float number(std::uint32_t index, std::uint32_t seed, float scale) {
  return scale * (static_cast<float>(bits_of(index, seed) >> 8) / 16777216.0f - 0.5f);
}
static_assert(bits_of(0, 1) == 0x9BB31115u && bits_of(123456789, 7) == 0xE5CDE400u);  // as tests/report/gpu_test.py

/// A tensor whose element i is number(i, seed, scale); at most 2^32 elements.
///
///   auto x = numbers({200000, 64}, 1);
stg::tensor<float> numbers(const stg::dimensions& shape, std::uint32_t seed, float scale = 1);

}  // namespace device_bench
