// bfloat16 and float16: numbers of two bytes to store features in. What is computed with them is computed in float.
#pragma once

#include <cstdint>  // uint16_t, uint32_t

#include <stg/base/config.hpp>  // STG_HOST_DEVICE

namespace stg {

namespace detail {

/// The nearest bfloat16, ties to even: the upper half of a float. NaN stays NaN.
STG_HOST_DEVICE constexpr std::uint16_t bfloat16_bits(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
STG_HOST_DEVICE constexpr float float_of_bfloat16(std::uint16_t bits) {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
}

/// The nearest IEEE binary16, ties to even; from 65520 on infinity.
STG_HOST_DEVICE constexpr std::uint16_t float16_bits(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
  std::uint32_t number = 0;
  if (size > 0x7f800000u) number = 0x7e00u;
  else if (size >= 0x477ff000u) number = 0x7c00u;
  else if (size < 0x38800000u)  // below 2^-14: beside 0.5 a float counts in steps of 2^-24, as such a number does
    number = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, size) + 0.5f) - 0x3f000000u;
  else number = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;
  return static_cast<std::uint16_t>(sign | number);
}
STG_HOST_DEVICE constexpr float float_of_float16(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000u) << 16, size = bits & 0x7fffu;
  const float scaled = __builtin_bit_cast(float, size << 13) * 0x1p112f;  // the exponent counts from 15, not from 127
  const std::uint32_t number = size >= 0x7c00u ? size << 13 | 0x7f800000u : __builtin_bit_cast(std::uint32_t, scaled);
  return __builtin_bit_cast(float, sign | number);
}

}  // namespace detail

/// 8 bits of exponent as float has, 7 of fraction: 2 to 3 digits.
struct bfloat16 {
  std::uint16_t bits = 0;
  constexpr bfloat16() = default;
  STG_HOST_DEVICE constexpr bfloat16(float x) : bits(detail::bfloat16_bits(x)) {}
  STG_HOST_DEVICE constexpr operator float() const { return detail::float_of_bfloat16(bits); }
};

/// 5 bits of exponent, 10 of fraction: 3 digits, numbers up to 65504.
struct float16 {
  std::uint16_t bits = 0;
  constexpr float16() = default;
  STG_HOST_DEVICE constexpr float16(float x) : bits(detail::float16_bits(x)) {}
  STG_HOST_DEVICE constexpr operator float() const { return detail::float_of_float16(bits); }
};

}  // namespace stg
