// Numbers that checkpoint files give for optimisers and for what watches values: those that cannot be are refused.
#pragma once

#include "../tensor/shortest_text.hpp"  // shortest_text

#include <cmath>    // floor, isfinite, isnan
#include <cstdint>  // int64_t
#include <string>   // string, to_string

#include <stg/base/error.hpp>      // error
#include <stg/runtime/tensor.hpp>  // tensor

namespace stg::detail {

/// `what` the file says.
[[noreturn]] inline void refuse_file(const std::string& file, const std::string& what) {
  throw error("checkpoint file " + file + " " + what + "; save it anew");
}

inline bool is_whole(double n) { return n >= 0 && n < 0x1p53 && n == std::floor(n); }

inline void check_shape(const tensor<double>& numbers, std::int64_t count, const std::string& file) {
  if (!(numbers.shape() == dimensions{count}))
    refuse_file(file, "has shape " + to_string(numbers.shape()) + " rather than (" + std::to_string(count) + ",)");
}
inline void check_rate(double rate, const std::string& file) {
  if (!(rate >= 0) || !std::isfinite(rate)) refuse_file(file, "has the learning rate " + shortest_text(rate));
}
inline void check_epochs(double n, const std::string& file) {
  if (!is_whole(n)) refuse_file(file, "counts " + shortest_text(n) + " epochs");
}
inline void check_best(double value, const std::string& file) {
  if (std::isnan(value)) refuse_file(file, "has nan as the best value");
}

}  // namespace stg::detail
