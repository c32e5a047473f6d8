// Where windows over time begin and end.
#pragma once

#include "decimals.hpp"  // as_decimals, decimal_numbers

#include <cmath>     // abs, round
#include <cstdint>   // int64_t
#include <limits>    // numeric_limits
#include <optional>  // optional

namespace stg::detail {

/// Borders of windows [begin + k · stride, begin + k · stride + length). The end of a window that is the beginning of
/// another is the same number, and borders ascend: windows that touch have each time once, and windows of r strides
/// have it r times. Decimals stay decimals: window 3 of stride 0.1 begins at 0.3, which 3 * 0.1 is above.
class window_borders {
 public:
  window_borders(double begin, double stride, double length) : begin_(begin), stride_(stride) {
    // Rounding alone keeps 3 * (1.0 / 24) from three strides of 1.0 / 24.
    constexpr double rounding = 4 * std::numeric_limits<double>::epsilon(), most_strides = 0x1p53;
    const double strides = std::round(length / stride);
    if (strides < most_strides && std::abs(length - strides * stride) <= rounding * length)
      strides_ = static_cast<std::int64_t>(strides);
    else rest_ = length;
    decimals_ = as_decimals<3>({begin, stride, rest_});
  }

  double begin_of(std::int64_t window) const {
    if (!decimals_) return begin_ + static_cast<double>(window) * stride_;
    return decimals_->of(units_before(window));
  }
  double end_of(std::int64_t window) const {
    if (!decimals_) return begin_of(window + strides_) + rest_;
    return decimals_->of(units_before(window + strides_) + decimals_->units[2]);
  }
  /// The first of so many windows that ends behind a time; their number where none does.
  std::int64_t first_ending_behind(double time, std::int64_t windows) const {
    std::int64_t first = 0;
    while (first < windows) {
      const std::int64_t middle = first + (windows - first) / 2;
      if (end_of(middle) > time) windows = middle;
      else first = middle + 1;
    }
    return first;
  }

 private:
  wide_integer units_before(std::int64_t window) const {
    return decimals_->units[0] + wide_integer{window} * decimals_->units[1];
  }

  double begin_, stride_;
  std::int64_t strides_ = 0;  // of a window's length, where it is whole strides,
  double rest_ = 0;           // else its length
  std::optional<decimal_numbers<3>> decimals_;
};

}  // namespace stg::detail
