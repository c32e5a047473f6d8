// The entry points of one instruction set's random masks.
#pragma once

#include <cstdint>  // int64_t, uint32_t

namespace stg {

/// What the elements of a row have in common: the counter but for the block, the key, the threshold of keep_mask.hpp.
struct mask_row {
  std::int64_t row;
  std::uint32_t site, key0, key1, threshold;
};

struct random_table {
  void (*f32)(float* to, std::int64_t width, const mask_row& row, float kept);
  void (*f64)(double* to, std::int64_t width, const mask_row& row, double kept);
  // rows[j] instead of common.row, (count, stride) elements of which `width` are drawn
  void (*narrow_f32)(float* to, std::int64_t stride, const std::int64_t* rows, std::int64_t count, std::int64_t width,
                     const mask_row& common, float kept);
  void (*narrow_f64)(double* to, std::int64_t stride, const std::int64_t* rows, std::int64_t count, std::int64_t width,
                     const mask_row& common, double kept);
};

extern const random_table random_table_baseline;
extern const random_table random_table_avx2;  // these two exist on x86-64 alone
extern const random_table random_table_avx512;

}  // namespace stg
