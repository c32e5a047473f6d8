// The entry points of one instruction set's random masks.
#pragma once

#include <cstdint>  // int64_t, uint32_t

namespace stg {

/// What the elements of all rows have in common: a word of the counter, the key, the threshold of keep_mask.hpp. Given
/// by value, so that it cannot alias a mask.
struct mask_draw {
  std::uint32_t site, key0, key1, threshold;
};

/// The masks of rows[0], rows[1], …; to: (count, stride), of which `width` elements each are drawn.
struct random_table {
  void (*f32)(float* to, std::int64_t stride, const std::int64_t* rows, std::int64_t count, std::int64_t width,
              mask_draw draw, float kept);
  void (*f64)(double* to, std::int64_t stride, const std::int64_t* rows, std::int64_t count, std::int64_t width,
              mask_draw draw, double kept);
};

extern const random_table random_table_baseline;
extern const random_table random_table_avx2;  // these two exist on x86-64 alone
extern const random_table random_table_avx512;

}  // namespace stg
