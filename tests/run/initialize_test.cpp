// test: draft runtime
// Initialisers: bounds, moments, and the same values from the same seed.
#include "expect_error.hpp"  // expect_error

#include <stg/runtime/initialize.hpp>  // glorot_uniform, normal

#include <gtest/gtest.h>  // TEST

#include <algorithm>  // equal, max_element
#include <cmath>      // sqrt
#include <limits>     // numeric_limits

namespace stg {
namespace {

struct moments {
  double mean = 0, variance = 0, least = 0, largest = 0;
};

template <class T> moments moments_of(const tensor<T>& t) {
  moments m{0, 0, *std::min_element(t.begin(), t.end()), *std::max_element(t.begin(), t.end())};
  for (const T x : t) m.mean += x / static_cast<double>(t.size());
  for (const T x : t) m.variance += (x - m.mean) * (x - m.mean) / static_cast<double>(t.size());
  return m;
}

template <class T> class initialize : public testing::Test {};
using reals = testing::Types<float, double>;
TYPED_TEST_SUITE(initialize, reals);

TYPED_TEST(initialize, uniform_fills_its_interval) {
  tensor<TypeParam> t({100, 1000});
  uniform(t, -2, 3, 7);
  const moments m = moments_of(t);
  EXPECT_NEAR(m.mean, 0.5, 0.02);
  EXPECT_NEAR(m.variance, 25.0 / 12, 0.03);
  EXPECT_GE(m.least, -2);
  EXPECT_LT(m.largest, 3);
  EXPECT_LT(m.least, -1.99);
  EXPECT_GT(m.largest, 2.99);
}

TYPED_TEST(initialize, normal_has_its_moments) {
  tensor<TypeParam> t({100, 1000});
  normal(t, 1, 2, 7);
  const moments m = moments_of(t);
  EXPECT_NEAR(m.mean, 1, 0.03);
  EXPECT_NEAR(m.variance, 4, 0.08);
  EXPECT_LT(m.least, 1 - 2 * 3.5);
  EXPECT_GT(m.largest, 1 + 2 * 3.5);
}

TYPED_TEST(initialize, glorot_uses_the_last_two_extents) {
  tensor<TypeParam> t({3, 200, 100});
  glorot_uniform(t, 1);
  const double bound = std::sqrt(6.0 / 300);
  const moments m = moments_of(t);
  EXPECT_LE(std::max(-m.least, m.largest), bound);
  EXPECT_GT(m.largest, 0.99 * bound);
  EXPECT_NEAR(m.variance, 2.0 / 300, 0.0002);
  glorot_normal(t, 1);
  EXPECT_NEAR(moments_of(t).variance, 2.0 / 300, 0.0002);
}

TYPED_TEST(initialize, kaiming_uses_the_inputs) {
  tensor<TypeParam> t({200, 100});
  kaiming_uniform(t, 1, std::sqrt(5.0));
  const moments m = moments_of(t);
  EXPECT_LE(m.largest, 1 / std::sqrt(200.0));
  EXPECT_GT(m.largest, 0.99 / std::sqrt(200.0));
}

TYPED_TEST(initialize, the_seed_decides) {
  tensor<TypeParam> a({50, 20}), b({50, 20}), c({50, 20});
  glorot_uniform(a, 42);
  glorot_uniform(b, 42);
  glorot_uniform(c, 43);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
  EXPECT_FALSE(std::equal(a.begin(), a.end(), c.begin()));
}

TYPED_TEST(initialize, constants) {
  tensor<TypeParam> t({4});
  ones(t);
  EXPECT_EQ(t(3), 1);
  constant(t, 0.5);
  EXPECT_EQ(t(0), TypeParam(0.5));
  zeros(t);
  EXPECT_EQ(t(1), 0);
}

TEST(initialize, misuse_is_named) {
  tensor<float> t({4});
  test::expect_error([&] { glorot_uniform(t, 1); }, {"glorot_uniform", "(4,)", "(..., in, out)"});
  test::expect_error([&] { uniform(t, 2, 1, 1); }, {"uniform", "lower first"});
  test::expect_error([&] { normal(t, 0, -1, 1); }, {"normal", "not negative"});
  test::expect_error([&] { normal(t, std::numeric_limits<double>::quiet_NaN(), 1, 1); }, {"normal"});
  tensor<float> empty({0, 0});
  EXPECT_NO_THROW(glorot_uniform(empty, 1));
}

}  // namespace
}  // namespace stg
