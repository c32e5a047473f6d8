// The entry points of one instruction set's dense products.
#pragma once

#include <cstdint>  // int64_t

namespace stg {

/// Functions that work on one block in the calling thread; no extent is 0. Shapes as in dense_kernels.hpp.
template <class T> struct dense_functions {
  void (*product_block)(const T* x, const T* w, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols,
                        bool transpose_w);
  void (*reduced_block)(const T* x, std::int64_t k, std::int64_t columns, const T* g, T* y, std::int64_t rows,
                        std::int64_t m);
};

struct dense_table {
  dense_functions<float> f32;
  dense_functions<double> f64;
};

extern const dense_table dense_table_baseline;
extern const dense_table dense_table_avx2;  // these two exist on x86-64 alone
extern const dense_table dense_table_avx512;

}  // namespace stg
