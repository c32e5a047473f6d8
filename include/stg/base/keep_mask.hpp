// Random masks of dropout: which elements are kept, as a function of seed, call, site and the row's global id.
#pragma once

#include <cstdint>  // uint32_t

#include <stg/base/philox.hpp>  // philox

namespace stg {

/// An element is kept when its random word is at least this: probability 1 - p up to 2⁻³².
STG_HOST_DEVICE constexpr std::uint32_t keep_threshold(double p) {
  const double scaled = p * 4294967296.0;
  return scaled >= 4294967295.0 ? 0xFFFFFFFFu : static_cast<std::uint32_t>(scaled);
}

/// The random words of elements 4 · block … 4 · block + 3 of one row.
STG_HOST_DEVICE constexpr philox_words keep_words(std::uint64_t seed, std::uint32_t call, std::int64_t site, std::int64_t row,
                                                  std::int64_t block) {
  philox_words counter;
  counter.word[0] = static_cast<std::uint32_t>(row);
  counter.word[1] = static_cast<std::uint32_t>(row >> 32);
  counter.word[2] = static_cast<std::uint32_t>(block);
  counter.word[3] = static_cast<std::uint32_t>(site);
  return philox(counter, static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32) ^ call);
}

/// Whether one element is kept.
STG_HOST_DEVICE constexpr bool keeps(std::uint64_t seed, std::uint32_t call, std::int64_t site, std::int64_t row,
                                     std::int64_t element, double p) {
  return keep_words(seed, call, site, row, element / 4).word[element % 4] >= keep_threshold(p);
}

}  // namespace stg
