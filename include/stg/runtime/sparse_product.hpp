// Products with sparse features, whose dropout is drawn for the entries alone.
#pragma once

#include <cstdint>  // int64_t, uint32_t

#include <stg/runtime/sparse_tensor.hpp>  // sparse_view

namespace stg {

/// Which entries of a sparse operand are dropped, as `draw_keep_row` would drop them of a dense row: entry (vertex,
/// column) is an element `column` of row `vertex`. Probability 0 keeps all and draws nothing.
struct entry_dropout {
  std::uint64_t seed = 0;
  std::uint32_t call = 0;
  std::int64_t site = 0;
  double probability = 0;
  const std::int32_t* vertices = nullptr;  // the global id of each row, where it is not its own
};

/// y = x w, where kept entries of x count 1 / (1 - p) times; w: (columns, cols), y: (rows, cols), row-major. Numbers
/// that are not stored do not meet w, not even where w is infinite. Every row is summed in the order of its columns by
/// one thread: bitwise equal for any number of threads. T is float or double.
///
///   stg::sparse_product(X.view(), w.data(), y.data(), 16, {});
template <class T>
void sparse_product(const sparse_view<T>& x, const T* w, T* y, std::int64_t cols, const entry_dropout& drop);

/// y = xᵀ g with the same entries dropped: the gradient of sparse_product's w. g: (rows, cols), y: (columns, cols).
/// Every column is summed in the order of its rows by one thread.
template <class T>
void sparse_reduced_product(const sparse_view<T>& x, const T* g, T* y, std::int64_t cols, const entry_dropout& drop);

extern template void sparse_product(const sparse_view<float>&, const float*, float*, std::int64_t,
                                    const entry_dropout&);
extern template void sparse_product(const sparse_view<double>&, const double*, double*, std::int64_t,
                                    const entry_dropout&);
extern template void sparse_reduced_product(const sparse_view<float>&, const float*, float*, std::int64_t,
                                            const entry_dropout&);
extern template void sparse_reduced_product(const sparse_view<double>&, const double*, double*, std::int64_t,
                                            const entry_dropout&);

}  // namespace stg
