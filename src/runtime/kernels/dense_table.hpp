// The entry points of one instruction set's dense products.
#pragma once

#include <cstdint>  // int64_t

namespace stg {

/// Functions that work on one block in the calling thread; no extent is 0.
template <class T> struct dense_functions {
  /// w: (inner, cols), or (cols, inner) with transpose_w; packed: inner × cols rounded up to vectors.
  void (*pack)(const T* w, T* packed, std::int64_t inner, std::int64_t cols, bool transpose_w);
  /// y = x w; x: (rows, inner), y: (rows, cols). past_caches needs y on a cache line.
  void (*product_rows)(const T* x, const T* packed, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols,
                       bool past_caches);
  /// y = or += x^T g for some columns of x; x: (rows, k) of which `columns` are used, g: (rows, m), y: (columns, m).
  void (*reduced_rows)(const T* x, std::int64_t k, std::int64_t columns, const T* g, T* y, std::int64_t rows,
                       std::int64_t m, bool add);
};

struct dense_table {
  dense_functions<float> f32;
  dense_functions<double> f64;
};

extern const dense_table dense_table_baseline;
extern const dense_table dense_table_avx2;  // these two exist on x86-64 alone
extern const dense_table dense_table_avx512;

}  // namespace stg
