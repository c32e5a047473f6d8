// test: draft runtime
// Philox against the known answers that Random123 publishes, and the numbers made from its bits.
#include <stg/base/philox.hpp>  // philox

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

// Random123, kat_vectors, "philox4x32 10".
static_assert(philox({{0, 0, 0, 0}}, 0, 0) == philox_words{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
static_assert(philox({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u) ==
              philox_words{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
static_assert(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0) ==
              philox_words{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});

// The same, "philox4x32 7".
static_assert(philox({{0, 0, 0, 0}}, 0, 0, 7) == philox_words{{0x5f6fb709, 0x0d893f64, 0x4f121f81, 0x4f730a48}});
static_assert(philox({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u, 7) ==
              philox_words{{0x5207ddc2, 0x45165e59, 0x4d8ee751, 0x8c52f662}});
static_assert(philox({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0, 7) ==
              philox_words{{0x4dfccaba, 0x190a87f0, 0xc47362ba, 0xb6b5242a}});

TEST(philox, known_answers_at_run_time) {
  philox_words counter{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
  volatile std::uint32_t key = 0xa4093822;
  EXPECT_EQ(philox(counter, key, 0x299f31d0), (philox_words{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(philox, wide_form_splits_low_word_first) {
  EXPECT_EQ(philox(0x85a308d3243f6a88u, 0x0370734413198a2eu, 0x299f31d0a4093822u),
            (philox_words{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

TEST(philox, uniform_numbers_stay_below_one) {
  EXPECT_EQ(uniform_float(0), 0.0f);
  EXPECT_LT(uniform_float(~0u), 1.0f);
  EXPECT_GT(uniform_float(~0u), 0.9999999f);
  EXPECT_EQ(uniform_double(0, 0), 0.0);
  EXPECT_LT(uniform_double(~0u, ~0u), 1.0);
  EXPECT_EQ(uniform_double(0x80000000u, 0), 0.5);
}

}  // namespace
}  // namespace stg
