// Dense products, in blocks that do not depend on the number of threads, so that results do not either.
#pragma once

#include <cstdint>  // int64_t

namespace stg {

/// y = x w; x: (rows, inner), y: (rows, cols), w: (inner, cols), or (cols, inner) with transpose_w; all row-major and
/// not overlapping. inner == 0 gives zeros. Parallel over row blocks; bitwise equal for any number of threads. T is
/// float or double.
///
///   stg::product(x.data(), w.data(), y.data(), 2708, 1433, 16, false);
template <class T>
void product(const T* x, const T* w, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols, bool transpose_w);

/// Slabs of rows that `reduced_product` sums separately: 1 to 16, by the number of rows alone.
constexpr int reduced_product_slabs(std::int64_t rows) {
  return rows < 512 ? 1 : rows >= 16 * 256 ? 16 : static_cast<int>(rows / 256);
}

/// Elements of scratch that `reduced_product` needs: slabs × k × m, or none for a single slab.
constexpr std::int64_t reduced_product_scratch(std::int64_t rows, std::int64_t k, std::int64_t m) {
  return reduced_product_slabs(rows) == 1 ? 0 : reduced_product_slabs(rows) * k * m;
}

/// y = x^T g, summed over rows; x: (rows, k), g: (rows, m), y: (k, m), the gradient of a product's parameter.
/// scratch: reduced_product_scratch(rows, k, m) elements. Rows are summed by slabs and the slabs in ascending order, so
/// the result is bitwise equal for any number of threads. rows == 0 gives zeros. T is float or double.
template <class T>
void reduced_product(const T* x, const T* g, T* y, T* scratch, std::int64_t rows, std::int64_t k, std::int64_t m);

extern template void product(const float*, const float*, float*, std::int64_t, std::int64_t, std::int64_t, bool);
extern template void product(const double*, const double*, double*, std::int64_t, std::int64_t, std::int64_t, bool);
extern template void reduced_product(const float*, const float*, float*, float*, std::int64_t, std::int64_t,
                                     std::int64_t);
extern template void reduced_product(const double*, const double*, double*, double*, std::int64_t, std::int64_t,
                                     std::int64_t);

}  // namespace stg
