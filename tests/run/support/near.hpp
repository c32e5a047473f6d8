// Comparing arrays by the sum of the absolute terms that their numbers are made of.
#pragma once

#include <stg/codegen/interpreter.hpp>  // array

#include <gtest/gtest.h>  // AssertionResult

#include <algorithm>  // max
#include <cmath>      // abs, isfinite, isnan
#include <limits>     // numeric_limits
#include <vector>     // vector

namespace stg::test {

/// |actual - expected| <= tolerance · magnitude for two numbers. NaN equals NaN, and an infinity equals itself alone,
/// whatever the magnitude; a magnitude that is infinite says nothing, so that the numbers' own takes its place. Below
/// the smallest normal number digits are missing, so numbers there are known as well as that one is: the share of an
/// edge whose score is 740 less than the largest has one digit, and what it is multiplied by carries its error along.
inline bool is_near(double actual, double expected, double magnitude, double tolerance) {
  if (actual == expected || (std::isnan(actual) && std::isnan(expected))) return true;
  if (!std::isfinite(actual) || !std::isfinite(expected)) return false;
  const double of = std::isfinite(magnitude) ? magnitude : 1 + std::abs(expected);
  return std::abs(actual - expected) <= tolerance * std::max(of, std::numeric_limits<double>::min());
}

/// The same for all numbers of two arrays.
inline testing::AssertionResult is_near(const oracle::array& actual, const oracle::array& expected,
                                        const oracle::array& magnitude, double tolerance) {
  if (actual.size() != expected.size())
    return testing::AssertionFailure() << actual.size() << " numbers; expected " << expected.size();
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (!is_near(actual[i], expected[i], magnitude[i], tolerance))
      return testing::AssertionFailure() << "element " << i << " is " << actual[i] << ", expected " << expected[i]
                                         << ", difference " << actual[i] - expected[i] << ", magnitude "
                                         << magnitude[i];
  }
  return testing::AssertionSuccess();
}

/// Whether all numbers of some arrays are finite and small enough to be compared.
inline bool are_finite(const std::vector<oracle::array>& all) {
  for (const oracle::array& a : all)
    for (const double x : a)
      if (!std::isfinite(x) || std::abs(x) > 1e6) return false;
  return true;
}

}  // namespace stg::test
