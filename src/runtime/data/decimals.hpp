// Numbers as their decimals mean them: 3 · 0.1 is 0.3, which a product of doubles is not.
#pragma once

#include <array>     // array
#include <cmath>     // abs, round
#include <cstddef>   // size_t
#include <cstdint>   // int64_t
#include <optional>  // optional

namespace stg::detail {

/// Products of a count and of units, which 64 bits do not hold.
__extension__ using wide_integer = __int128;

/// Numbers as whole multiples of 1 / per_one, a power of ten.
template <std::size_t N> struct decimal_numbers {
  std::array<std::int64_t, N> units{};
  std::int64_t per_one = 1;

  /// The double nearest to so many units: the one that a text of this decimal is read as, up to 2^53 units.
  double of(wide_integer count) const { return static_cast<double>(count) / static_cast<double>(per_one); }
};

/// Numbers that are the doubles nearest to decimals, with the fewest places behind the point, up to 15; nothing where
/// one of them has more, as 1.0 / 24 does.
template <std::size_t N> std::optional<decimal_numbers<N>> as_decimals(const std::array<double, N>& numbers) {
  constexpr double most_units = 0x1p53, most_per_one = 1e15;
  for (double per_one = 1; per_one <= most_per_one; per_one *= 10) {
    decimal_numbers<N> decimals{.units = {}, .per_one = static_cast<std::int64_t>(per_one)};
    bool exact = true;
    for (std::size_t i = 0; i < N && exact; ++i) {
      const double units = std::round(numbers[i] * per_one);
      exact = std::abs(units) <= most_units && units / per_one == numbers[i];  // both are exact, so this is nearest
      if (exact) decimals.units[i] = static_cast<std::int64_t>(units);
    }
    if (exact) return decimals;
  }
  return std::nullopt;
}

}  // namespace stg::detail
