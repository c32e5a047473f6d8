// Samples of what is another value in training: random masks, and training(a, b).
#pragma once

#include "symbols.hpp"  // x, y, …

#include <stg/dsl/outputs.hpp>  // outputs
#include <stg/op/list.hpp>      // all operations

namespace stg::samples {

inline constexpr auto random_masks = [](auto v) {
  auto e = v.in_edges();
  return outputs(dropout(v(x), 0.5) * v(y), sum(dropout(e.src(x) * e(w), 0.25)), dropout(v(h), 0.9),
                 sum(dropout(e.src(wide), 0.5)), dropout(v(y), 0.4) + dropout(v(x) * v(y), 0.3));
};
inline constexpr auto modes = [](auto v) {
  return training(v(x) * v(y), v(y) - 1.0) * v(positive) + training(v(s), 2.0) + training(sum(v(a), axis<0>), v(s));
};

}  // namespace stg::samples
