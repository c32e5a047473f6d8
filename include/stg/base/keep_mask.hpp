// Random masks of dropout: which elements are kept, as a function of seed, call, site and the row's global id.
//
// Word k of block b belongs to element 4 b + k of its row. Masks take seven rounds of Philox, the fewest that Salmon
// et al. (SC 2011) found to pass the tests of BigCrush.
#pragma once

#include <cstdint>  // uint32_t

#include <stg/base/philox.hpp>  // philox

namespace stg {

inline constexpr int mask_rounds = 7;
inline constexpr std::int64_t mask_block = 4;  // elements

/// The seed of a step of a scan: each draws its own masks, those of its gradient the same (splitmix64, Steele et al.,
/// OOPSLA 2014).
STG_HOST_DEVICE constexpr std::uint64_t seed_of_step(std::uint64_t seed, std::int64_t step) {
  std::uint64_t x = seed + 0x9E3779B97F4A7C15u * (static_cast<std::uint64_t>(step) + 1);
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

/// An element is kept when its random word is at least this: probability 1 - p up to 2⁻³².
STG_HOST_DEVICE constexpr std::uint32_t keep_threshold(double p) {
  const double scaled = p * 4294967296.0;
  return scaled >= 4294967295.0 ? 0xFFFFFFFFu : static_cast<std::uint32_t>(scaled);
}

/// The first half of the key is the seed's low half; the second, its high half changed by the call's number.
STG_HOST_DEVICE constexpr std::uint32_t mask_key0(std::uint64_t seed) { return static_cast<std::uint32_t>(seed); }
STG_HOST_DEVICE constexpr std::uint32_t mask_key1(std::uint64_t seed, std::uint32_t call) {
  return static_cast<std::uint32_t>(seed >> 32) ^ call;
}

/// The number of a call that is launched again as part of a captured step. Launches are counted from the other end of
/// the word: no two pairs have one number while there are at most 65,536 calls and as many launches.
STG_HOST_DEVICE constexpr std::uint32_t call_of_launch(std::uint32_t call, std::uint32_t launch) {
  launch = launch >> 16 | launch << 16;
  launch = (launch & 0xFF00FF00u) >> 8 | (launch & 0x00FF00FFu) << 8;
  launch = (launch & 0xF0F0F0F0u) >> 4 | (launch & 0x0F0F0F0Fu) << 4;
  launch = (launch & 0xCCCCCCCCu) >> 2 | (launch & 0x33333333u) << 2;
  launch = (launch & 0xAAAAAAAAu) >> 1 | (launch & 0x55555555u) << 1;
  return call ^ launch;
}

/// The random words of one block of a row.
STG_HOST_DEVICE constexpr philox_words keep_words(std::uint64_t seed, std::uint32_t call, std::int64_t site,
                                                  std::int64_t row, std::int64_t block) {
  philox_words counter;
  counter.word[0] = static_cast<std::uint32_t>(row);
  counter.word[1] = static_cast<std::uint32_t>(row >> 32);
  counter.word[2] = static_cast<std::uint32_t>(block);
  counter.word[3] = static_cast<std::uint32_t>(site);
  return philox(counter, mask_key0(seed), mask_key1(seed, call), mask_rounds);
}

/// Whether one element of a row is kept.
STG_HOST_DEVICE constexpr bool keeps(std::uint64_t seed, std::uint32_t call, std::int64_t site, std::int64_t row,
                                     std::int64_t element, double p) {
  const philox_words random = keep_words(seed, call, site, row, element / mask_block);
  const std::int64_t k = element % mask_block;  // chosen, not indexed: a GPU would put the words in memory
  const std::uint32_t even = k < 2 ? random.word[0] : random.word[2], odd = k < 2 ? random.word[1] : random.word[3];
  return (k % 2 == 0 ? even : odd) >= keep_threshold(p);
}

}  // namespace stg
