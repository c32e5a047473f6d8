// The entry points of one instruction set's sparse products.
#pragma once

#include <cstdint>  // int64_t, uint32_t

#include <stg/runtime/sparse_tensor.hpp>  // sparse_rows

namespace stg {

/// What the draws of all entries have in common; see keep_mask.hpp. `by_column`: rows of the operand are columns of the
/// features, and its indices their vertices.
struct entry_mask {
  std::uint32_t site, key0, key1, threshold;
  bool draws, by_column;
  const std::int32_t* vertices;  // the global id of each, or null where it is its own
};

template <class T> struct sparse_functions {
  /// Rows [first, last) of y = x w; x: (rows, k), w: (k, cols), y: (rows, cols). Kept entries count `kept` times.
  void (*rows)(const sparse_rows<T>& x, std::int64_t first, std::int64_t last, const T* w, T* y, std::int64_t cols,
               const entry_mask& mask, T kept);
};

struct sparse_table {
  sparse_functions<float> f32;
  sparse_functions<double> f64;
};

extern const sparse_table sparse_table_baseline;
extern const sparse_table sparse_table_avx2;  // these two exist on x86-64 alone
extern const sparse_table sparse_table_avx512;

}  // namespace stg
