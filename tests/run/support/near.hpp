// Comparing arrays by the sum of the absolute terms that their numbers are made of.
#pragma once

#include <stg/codegen/interpreter.hpp>  // array

#include <gtest/gtest.h>  // AssertionResult

#include <cmath>  // isnan

namespace stg::test {

/// |actual - expected| <= tolerance · magnitude for every number; NaN equals NaN and an infinity itself.
inline testing::AssertionResult is_near(const oracle::array& actual, const oracle::array& expected,
                                        const oracle::array& magnitude, double tolerance) {
  if (actual.size() != expected.size())
    return testing::AssertionFailure() << actual.size() << " numbers; expected " << expected.size();
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const bool same = actual[i] == expected[i] || (std::isnan(actual[i]) && std::isnan(expected[i]));
    if (!same && !(std::abs(actual[i] - expected[i]) <= tolerance * magnitude[i]))
      return testing::AssertionFailure() << "element " << i << " is " << actual[i] << ", expected " << expected[i]
                                         << ", difference " << actual[i] - expected[i] << ", magnitude "
                                         << magnitude[i];
  }
  return testing::AssertionSuccess();
}

}  // namespace stg::test
