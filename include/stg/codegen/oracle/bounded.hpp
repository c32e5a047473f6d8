// Numbers of the oracle, each with its magnitude, and what sums and their kin make of many.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <algorithm>  // max
#include <cmath>      // exp, log, abs
#include <cstddef>    // size_t
#include <limits>     // infinity
#include <vector>     // vector

namespace stg::oracle::detail {

/// A number with the sum of the absolute terms it was made of.
struct bounded {
  double value = 0;
  double magnitude = 0;
};

inline bounded exact(double value) { return bounded{value, std::abs(value)}; }
/// f(x): the error of x grows by |f'(x)|, and f rounds once more.
inline bounded through(double value, double slope, bounded x) {
  return bounded{value, std::abs(value) + std::abs(slope) * x.magnitude};
}

/// 1 / Σ exp(x - max x); ∞ over nothing.
inline bounded top_share(const std::vector<bounded>& terms) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const bounded& x : terms) {
    if (std::isnan(x.value)) return exact(x.value);
    largest = std::max(largest, x.value);
  }
  if (std::isinf(largest)) return exact(largest > 0 ? 0 : std::numeric_limits<double>::infinity());
  double sum = 0, magnitude = 0;
  for (const bounded& x : terms) {
    sum += std::exp(x.value - largest);
    magnitude = std::max(magnitude, x.magnitude);
  }
  return bounded{1 / sum, (1 + 2 * magnitude) / sum};
}

/// 0 over nothing; -∞ of nothing but NaN, which are left behind.
inline bounded largest_of(const std::vector<bounded>& terms) {
  bounded largest;
  if (!terms.empty()) largest.value = -std::numeric_limits<double>::infinity();
  for (const bounded& x : terms) {
    if (largest.value < x.value) largest.value = x.value;
    largest.magnitude = std::max(largest.magnitude, x.magnitude);
  }
  return largest;
}

inline bounded sum_of(const std::vector<bounded>& terms) {
  bounded sum;
  for (const bounded& x : terms) sum = bounded{sum.value + x.value, sum.magnitude + x.magnitude};
  return sum;
}

inline bounded product_of(const std::vector<bounded>& terms) {
  bounded product{1, 1};
  for (const bounded& x : terms) product = bounded{product.value * x.value, product.magnitude * x.magnitude};
  return product;
}

/// Σ (x - mean)² / n; 0 over nothing.
inline bounded variance_of(const std::vector<bounded>& terms) {
  const double n = static_cast<double>(terms.empty() ? 1 : terms.size());
  const bounded sum = sum_of(terms);
  bounded squares;
  for (const bounded& x : terms) {
    const double apart = x.value - sum.value / n, magnitude = x.magnitude + sum.magnitude / n;
    squares = bounded{squares.value + apart * apart, squares.magnitude + magnitude * magnitude};
  }
  return bounded{squares.value / n, squares.magnitude / n};
}

}  // namespace stg::oracle::detail
