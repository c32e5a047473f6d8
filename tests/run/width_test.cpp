// test: draft calls
// stored_as<bf16>: rows that the plan stores lie there in two bytes a number, and registers compute in f32. Results are
// those of the program that rounds by hand where it stores, bit by bit, and so are gradients.
#include <stg/stg.hpp>  // the language

#include "support/narrow_rows.hpp"  // called, expect_as_by_hand, trained

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

using namespace test;

TEST(width, is_what_rounding_by_hand_gives) {
  expect_as_by_hand<bf16>();
  expect_as_by_hand<f16>();
}
TEST(width, rounds_no_register) {
  const auto decided = called<in_both_ways<false, bf16>>();
  EXPECT_TRUE(are_equal(decided, called<in_both_ways<true, bf16>>()));
  EXPECT_FALSE(are_equal(decided, called<in_both_ways<false, f32>>()));
}

constexpr auto plain = [](auto v) {
  auto h = relu(mean(v.in_edges().src(matmul(tanh(v(x)), W))) + b);
  return sum(v.out_edges().dst(matmul(h, V)));
};
template <scalar_type As>
constexpr auto plain_throughout = [](auto v) {
  stored_as<As>(v);
  return plain(v);
};
TEST(width, of_all_that_is_stored_stays_near) {
  const auto wide = trained<plain>(), narrow = trained<plain_throughout<bf16>>(),
             half = trained<plain_throughout<f16>>();
  EXPECT_NEAR(narrow.loss, wide.loss, 0.01 * wide.loss);
  for (int k = 0; k < 4; ++k) {
    EXPECT_LT(distance(narrow.gradients[k], wide.gradients[k]), 0.02) << k;
    EXPECT_LT(distance(half.gradients[k], wide.gradients[k]), 0.003) << k;
    EXPECT_GT(distance(narrow.gradients[k], wide.gradients[k]), 0) << k;
  }
}
TEST(width, is_said_of_a_program_from_outside) {
  EXPECT_TRUE(are_equal(called_with_parameters<with<plain, all_stored_as<bf16>>>(),
                        called_with_parameters<plain_throughout<bf16>>()));
}

}  // namespace
}  // namespace stg
