// Random masks: block and element agree, thresholds at the ends of their range.
#include <stg/base/keep_mask.hpp>

#include <initializer_list>  // initializer_list

namespace stg {

static_assert(keep_threshold(0) == 0);
static_assert(keep_threshold(0.5) == 0x80000000u);
static_assert(keep_threshold(1) == 0xFFFFFFFFu);

constexpr bool block_and_element_agree() {
  for (std::int64_t row : {std::int64_t{0}, std::int64_t{7}, std::int64_t{1} << 40})
    for (std::int64_t block = 0; block < 48; ++block) {
      const philox_words words = keep_words(42, 3, 5, row, block);
      for (int k = 0; k < 4; ++k) {
        const std::int64_t element = 4 * block + k;
        if (keeps(42, 3, 5, row, element, 0.3) != (words.word[k] >= keep_threshold(0.3))) return false;
      }
    }
  return true;
}
static_assert(block_and_element_agree());

constexpr int kept(double p) {
  int n = 0;
  for (std::int64_t element = 0; element < 256; ++element) n += keeps(1, 0, 0, 0, element, p);
  return n;
}
static_assert(kept(0) == 256);
static_assert(kept(0.5) > 96 && kept(0.5) < 160);

static_assert(call_of_launch(7, 0) == 7);
static_assert(call_of_launch(7, 1) == 0x80000007u);
static_assert(call_of_launch(7, 6) == 0x60000007u);
static_assert(call_of_launch(0, 0x80010203u) == 0xC0408001u);

// Every part of the key changes the words.
static_assert(!(keep_words(1, 0, 0, 0, 0) == keep_words(2, 0, 0, 0, 0)));
static_assert(!(keep_words(1, 0, 0, 0, 0) == keep_words(std::uint64_t{1} << 32 | 1, 0, 0, 0, 0)));
static_assert(!(keep_words(1, 0, 0, 0, 0) == keep_words(1, 1, 0, 0, 0)));
static_assert(!(keep_words(1, 0, 0, 0, 0) == keep_words(1, 0, 1, 0, 0)));
static_assert(!(keep_words(1, 0, 0, 0, 0) == keep_words(1, 0, 0, 1, 0)));
static_assert(!(keep_words(1, 0, 0, 0, 0) == keep_words(1, 0, 0, std::int64_t{1} << 32, 0)));
static_assert(!(keep_words(1, 0, 0, 0, 0) == keep_words(1, 0, 0, 0, 1)));

}  // namespace stg
