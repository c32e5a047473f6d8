// Random numbers of one vertex in one hop, and choices among its edges.
#pragma once

#include <stg/base/philox.hpp>  // philox, uniform_double

#include <bit>      // countr_zero
#include <cstdint>  // int64_t, uint32_t, uint64_t

namespace stg::detail {

/// What numbers are drawn for: draws of one vertex for different purposes are of different streams.
enum class purpose : std::uint32_t { neighbours, layer, walk, subgraph, negatives, order };

/// A stream of words that is a function of number, purpose, hop and vertex. Seven rounds are the fewest that Salmon et
/// al. (SC 2011) found to pass the tests of BigCrush.
class draws {
 public:
  draws(std::uint64_t number, purpose what, std::uint32_t hop, std::uint64_t of)
      : key0_(static_cast<std::uint32_t>(number)), key1_(static_cast<std::uint32_t>(number >> 32)) {
    counter_.word[1] = hop << 4 | static_cast<std::uint32_t>(what);
    counter_.word[2] = static_cast<std::uint32_t>(of);
    counter_.word[3] = static_cast<std::uint32_t>(of >> 32);
  }

  std::uint32_t word() {
    if (left_ == 0) {
      words_ = philox(counter_, key0_, key1_, 7);
      ++counter_.word[0];
      left_ = 4;
    }
    return words_.word[--left_];
  }

  /// In [0, n), n in [1, 2^32): every number as likely as any other (Lemire, ACM TOMACS 2019).
  std::uint32_t below(std::uint32_t n) {
    std::uint64_t product = std::uint64_t{word()} * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const std::uint32_t least = -n % n;
      while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{word()} * n;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// The same for n in [1, 2^16), of half a word.
  std::uint32_t below_of_half(std::uint32_t n) {
    std::uint32_t product = half_word() * n;
    if ((product & 0xffffu) < n) {
      const std::uint32_t least = (0x10000u - n) % n;
      while ((product & 0xffffu) < least) product = half_word() * n;
    }
    return product >> 16;
  }

  /// The same for n in [1, 2^63).
  std::uint64_t below_many(std::uint64_t n) {
    const std::uint64_t rest = (0 - n) % n;  // so many numbers are left out, that the others are a multiple of n
    std::uint64_t drawn = 0;
    do {
      drawn = std::uint64_t{word()} << 32;
      drawn |= word();
    } while (drawn < rest);
    return drawn % n;
  }

  /// In [0, 1).
  double uniform() {
    const std::uint32_t high = word();
    return uniform_double(high, word());
  }

 private:
  std::uint32_t half_word() {
    if (has_half_) return has_half_ = false, half_ >> 16;
    has_half_ = true;
    half_ = word();
    return half_ & 0xffffu;
  }

  philox_words counter_{}, words_{};
  std::uint32_t key0_, key1_, half_ = 0;
  int left_ = 0;
  bool has_half_ = false;
};

/// `k` of `n` ≤ 64 things as bits, 0 ≤ k ≤ n, each set as likely as any other (Floyd; Bentley, CACM 1987). Where more
/// than half are wanted, those that are left out are drawn.
inline std::uint64_t choose_bits(draws& random, std::uint32_t n, std::uint32_t k) {
  const bool leaves_out = 2 * k > n;
  const std::uint32_t count = leaves_out ? n - k : k;
  std::uint64_t bits = 0;
  for (std::uint32_t j = n - count; j < n; ++j) {
    const std::uint64_t drawn = std::uint64_t{1} << random.below_of_half(j + 1);
    bits |= (bits & drawn) != 0 ? std::uint64_t{1} << j : drawn;
  }
  const std::uint64_t all = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  return leaves_out ? all & ~bits : bits;
}

/// Calls body(position) for every bit, ascending.
template <class Body> void for_each_bit(std::uint64_t bits, const Body& body) {
  for (; bits != 0; bits &= bits - 1) body(static_cast<std::int64_t>(std::countr_zero(bits)));
}

}  // namespace stg::detail
