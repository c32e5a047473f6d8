// test: kernels widest
// Kernels and chains of programs that store rows of two bytes a number give what rounding by hand gives, and take half
// the memory.
#include <stg/stg.hpp>  // the language

#include "support/narrow_rows.hpp"  // expect_as_by_hand

#include <gtest/gtest.h>  // TEST

namespace stg {
namespace {

using namespace test;

TEST(width_compiled, is_what_rounding_by_hand_gives) { expect_as_by_hand<bf16>(); }

constexpr auto features = vertex_feature<"features", 64>;
constexpr auto First = parameter<"First", 64, 64>;
constexpr auto Second = parameter<"Second", 64, 32>;
template <scalar_type As>
constexpr auto network = [](auto v) {
  stored_as<As>(v);
  auto h = relu(sum(v.in_edges().src(matmul(v(features), First))));
  return mean(sum(square(sum(v.in_edges().src(matmul(h, Second)))), axis<0>), all_vertices);
};
TEST(width_compiled, takes_half_the_memory) {
  const sizes n{.vertices = 100000, .edges = 1000000};
  const auto wide = peak_bytes<network<f32>>(n).training, narrow = peak_bytes<network<bf16>>(n).training;
  EXPECT_LT(static_cast<double>(narrow), 0.55 * static_cast<double>(wide));
}
}  // namespace
}  // namespace stg
