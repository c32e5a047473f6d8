// Tensors that tests of whole calls on a GPU bind, and how near what comes back has to be.
#pragma once

#include <stg/runtime/initialize.hpp>  // uniform
#include <stg/runtime/tensor.hpp>      // tensor

#include <gtest/gtest.h>  // ASSERT_EQ

#include <cmath>    // abs
#include <cstdint>  // int64_t, uint64_t

namespace stg::test {

/// Numbers from -1 to 1.
inline tensor<float> drawn_floats(const dimensions& shape, std::uint64_t seed) {
  tensor<float> t(shape);
  uniform(t, -1, 1, seed);
  return t;
}
/// Equal to 1e-5 of 1 and each number.
template <class A, class B> void expect_near(const A& a, const B& b) {
  ASSERT_EQ(a.shape(), b.shape());
  for (std::int64_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a.data()[i], b.data()[i], 1e-5 * (1 + std::abs(b.data()[i])));
}

}  // namespace stg::test
