// Philox4x32, the counter-based random number generator behind dropout and the initialisers.
#pragma once

#include <stg/base/config.hpp>  // STG_HOST_DEVICE

#include <cstdint>  // uint32_t

namespace stg {

/// Four 32-bit words: a counter going in, random bits coming out. A plain array, so that kernels can index it.
struct philox_words {
  std::uint32_t word[4] = {};
  constexpr bool operator==(const philox_words&) const = default;
};

// The constants of Philox4x32: multipliers of words 0 and 2, and what the two halves of the key grow by each round.
inline constexpr std::uint32_t philox_multiplier0 = 0xD2511F53u, philox_multiplier2 = 0xCD9E8D57u;
inline constexpr std::uint32_t philox_key_step0 = 0x9E3779B9u, philox_key_step1 = 0xBB67AE85u;
inline constexpr int philox_rounds = 10;

/// Random bits of a counter under a key: equal arguments give equal bits on every machine and in every thread.
/// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011; ten rounds unless told.
///
///   auto bits = stg::philox({{vertex, feature, call, site}}, seed_low, seed_high);
///   float u   = stg::uniform_float(bits.word[0]);   // in [0, 1)
STG_HOST_DEVICE constexpr philox_words philox(philox_words counter, std::uint32_t key0, std::uint32_t key1,
                                              int rounds = philox_rounds) {
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t a = std::uint64_t{philox_multiplier0} * counter.word[0];
    const std::uint64_t b = std::uint64_t{philox_multiplier2} * counter.word[2];
    const std::uint32_t w0 = static_cast<std::uint32_t>(b >> 32) ^ counter.word[1] ^ key0;
    const std::uint32_t w2 = static_cast<std::uint32_t>(a >> 32) ^ counter.word[3] ^ key1;
    counter.word[0] = w0;
    counter.word[1] = static_cast<std::uint32_t>(b);
    counter.word[2] = w2;
    counter.word[3] = static_cast<std::uint32_t>(a);
    key0 += philox_key_step0;
    key1 += philox_key_step1;
  }
  return counter;
}

/// The same with the key as one number and the counter as two: the form that the initialisers use.
STG_HOST_DEVICE constexpr philox_words philox(std::uint64_t low, std::uint64_t high, std::uint64_t key) {
  philox_words counter;
  counter.word[0] = static_cast<std::uint32_t>(low);
  counter.word[1] = static_cast<std::uint32_t>(low >> 32);
  counter.word[2] = static_cast<std::uint32_t>(high);
  counter.word[3] = static_cast<std::uint32_t>(high >> 32);
  return philox(counter, static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32));
}

/// 24 random bits as a float in [0, 1); never 1, so `uniform_float(w) < p` has probability p exactly at p = 0 and p =
/// 1.
STG_HOST_DEVICE constexpr float uniform_float(std::uint32_t w) { return static_cast<float>(w >> 8) * 0x1p-24f; }

/// 53 random bits as a double in [0, 1).
STG_HOST_DEVICE constexpr double uniform_double(std::uint32_t high, std::uint32_t low) {
  return static_cast<double>(((std::uint64_t{high} << 32) | low) >> 11) * 0x1p-53;
}

}  // namespace stg
