// decimal: the shortest digits that read back as the same double, in constant evaluation too, where std::to_chars is
// not.
//
// Steele and White, PLDI 1990, with integers of as many bits as it takes: numbers next to a power of two, denormal ones
// and the largest are no cases of their own.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>           // int64_t, uint32_t, uint64_t
#include <initializer_list>  // initializer_list

namespace stg {

/// d₁.d₂d₃… × 10^exponent.
struct decimal {
  static constexpr int most_digits = 17;
  char digits[most_digits]{};  // '0' to '9'
  int count = 0;
  int exponent = 0;
};

namespace detail {

/// An integer that is not negative, 32 bits to a limb, the lowest first.
class large_integer {
 public:
  constexpr large_integer(std::uint64_t n) {
    for (; n != 0; n >>= 32) limbs[count++] = static_cast<std::uint32_t>(n);
  }
  constexpr void multiply(std::uint32_t by) {
    std::uint64_t carry = 0;
    for (int k = 0; k < count; ++k) {
      carry += std::uint64_t(limbs[k]) * by;
      limbs[k] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs[count++] = static_cast<std::uint32_t>(carry);
  }
  constexpr void shift(int bits) {
    for (; bits >= 31; bits -= 31) multiply(std::uint32_t(1) << 31);
    multiply(std::uint32_t(1) << bits);
  }
  constexpr void multiply_by_ten_to(int power) {
    for (; power > 0; --power) multiply(10);
  }
  /// This - other, which is no larger.
  constexpr void subtract(const large_integer& other) {
    std::int64_t borrow = 0;
    for (int k = 0; k < count; ++k) {
      borrow += std::int64_t(limbs[k]) - (k < other.count ? other.limbs[k] : 0);
      limbs[k] = static_cast<std::uint32_t>(borrow);
      borrow >>= 32;
    }
    while (count > 0 && limbs[count - 1] == 0) --count;
  }
  constexpr large_integer operator+(const large_integer& other) const {
    large_integer sum(0);
    std::uint64_t carry = 0;
    for (int k = 0; k < count || k < other.count || carry != 0; ++k) {
      carry += std::uint64_t(k < count ? limbs[k] : 0) + (k < other.count ? other.limbs[k] : 0);
      sum.limbs[sum.count++] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return sum;
  }
  /// Below 0, 0, or above, as this is less than the other, equal or more.
  constexpr int compare(const large_integer& other) const {
    if (count != other.count) return count - other.count;
    for (int k = count - 1; k >= 0; --k)
      if (limbs[k] != other.limbs[k]) return limbs[k] < other.limbs[k] ? -1 : 1;
    return 0;
  }

 private:
  static constexpr int most_limbs = 40;  // 2^1024 · 10 · 4, and 2^1074 · 10 · 4
  std::uint32_t limbs[most_limbs]{};
  int count = 0;
};

}  // namespace detail

/// The fewest digits that read back as x, which is finite and above 0; of several, the nearest to it.
constexpr decimal shortest_decimal(double x) {
  using detail::large_integer;
  constexpr std::uint64_t hidden = std::uint64_t(1) << 52;
  const std::uint64_t bits = __builtin_bit_cast(std::uint64_t, x), fraction = bits & (hidden - 1);
  const int biased = static_cast<int>(bits >> 52), power = (biased == 0 ? 1 : biased) - 1075;
  const std::uint64_t mantissa = biased == 0 ? fraction : fraction | hidden;
  const bool is_even = mantissa % 2 == 0;          // then the borders read back as x
  const int nearer = fraction == 0 && biased > 1;  // below a power of two the next number is half as far

  // x = r / s; half of what it is away from the next numbers: above / s and below / s
  large_integer r(mantissa), s(1), above(1), below(1);
  r.shift((power > 0 ? power : 0) + 1 + nearer);
  s.shift((power < 0 ? -power : 0) + 1 + nearer);
  above.shift((power > 0 ? power : 0) + nearer);
  below.shift(power > 0 ? power : 0);

  int length = 0;  // of the mantissa, in bits
  while (mantissa >> length != 0) ++length;
  const double estimate = (power + length - 1) * 0.30102999566398120;  // log10 of 2; no more than what it stands for
  int point = static_cast<int>(estimate) + (estimate > 0 ? 1 : 0);
  if (point >= 0) s.multiply_by_ten_to(point);
  for (large_integer* of : {&r, &above, &below}) of->multiply_by_ten_to(point < 0 ? -point : 0);
  const auto reaches = [&](const large_integer& sum) { return sum.compare(s) > (is_even ? -1 : 0); };
  if (reaches(r + above)) {
    ++point;
  } else {
    for (large_integer* of : {&r, &above, &below}) of->multiply(10);
  }

  decimal d;
  d.exponent = point - 1;
  for (;;) {
    int digit = 0;
    for (; r.compare(s) >= 0; ++digit) r.subtract(s);
    const bool ends_low = r.compare(below) < (is_even ? 1 : 0), ends_high = reaches(r + above);
    if (ends_low || ends_high) {
      const bool is_low = ends_low && (!ends_high || (r + r).compare(s) < 0);
      d.digits[d.count++] = static_cast<char>('0' + digit + (is_low ? 0 : 1));
      return d;
    }
    d.digits[d.count++] = static_cast<char>('0' + digit);
    for (large_integer* of : {&r, &above, &below}) of->multiply(10);
  }
}

}  // namespace stg
