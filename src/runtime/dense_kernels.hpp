// One block of a dense product, compiled once per instruction set by dense_{baseline,avx2,avx512}.cpp.
// Includers define STG_DENSE_ISA, and `Eigen` as a name of their own: two copies of Eigen's inline functions under one
// name would be merged by the linker, and AVX-512 code then runs on machines without it. For the same reason nothing of
// the standard library is called here.
#pragma once

#define EIGEN_DONT_PARALLELIZE                     // stg is parallel over blocks; see dense.cpp
#define EIGEN_NO_MALLOC                            // asserts that what Eigen packs lies on the stack:
#define EIGEN_STACK_ALLOCATION_LIMIT (512 * 1024)  // block × block elements at most
#include <Eigen/Core>                              // Map, Matrix

#include "dense_table.hpp"  // dense_table

#include <cstring>  // memcpy

namespace stg::STG_DENSE_ISA {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64, registers = 32;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32, registers = 16;
#else
inline constexpr int vector_bytes = 16, registers = 16;
#endif

using index = std::int64_t;

/// Bounds what Eigen packs, and is part of the result's rounding: the same for every number of threads.
template <class T> inline constexpr index block = 1024 / sizeof(T);

template <class T> struct lanes {
  typedef T type __attribute__((vector_size(vector_bytes)));
  static constexpr int count = vector_bytes / sizeof(T);
};

/// A strided matrix that is only read: element (i, p) is at data[i * row + p * inner].
template <class T> struct strided {
  const T* data;
  index row, inner;
  strided from_row(index i) const { return {data + i * row, row, inner}; }
  strided from_inner(index p) const { return {data + p * inner, row, inner}; }
};

/// y = or += x panel for Rows rows, accumulated in registers: y: (Rows, cols), x: (Rows, depth),
/// panel: (depth, Vectors * lanes), zero beyond cols. Eigen needs 1.6 times as long for 16 columns and more for 7.
template <class T, int Rows, int Vectors>
void tile(strided<T> x, const T* panel, index depth, T* y, index cols, bool add) {
  using vector = typename lanes<T>::type;
  constexpr index width = Vectors * lanes<T>::count;
  vector sums[Rows][Vectors] = {};
  for (index p = 0; p < depth; ++p) {
    vector w[Vectors];
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) std::memcpy(&w[v], panel + p * width + v * lanes<T>::count, sizeof(vector));
#pragma GCC unroll 16
    for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
      for (int v = 0; v < Vectors; ++v) sums[i][v] += x.data[i * x.row + p * x.inner] * w[v];
  }
  T rows[Rows * width];  // packed to `cols` a row: each row's padding is overwritten by the next row
#pragma GCC unroll 16
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 4
    for (int v = 0; v < Vectors; ++v) std::memcpy(rows + i * cols + v * lanes<T>::count, &sums[i][v], sizeof(vector));
  if (add)
    for (index c = 0; c < Rows * cols; ++c) y[c] += rows[c];
  else
    for (index c = 0; c < Rows * cols; ++c) y[c] = rows[c];
}

/// `tile` over any number of rows: as many as fit of Rows, the rest by halves.
template <class T, int Rows, int Vectors>
void tiles(strided<T> x, const T* panel, index rows, index depth, T* y, index cols, bool add) {
  index i = 0;
  for (; i + Rows <= rows; i += Rows) tile<T, Rows, Vectors>(x.from_row(i), panel, depth, y + i * cols, cols, add);
  if constexpr (Rows > 1)
    if (i < rows) tiles<T, Rows / 2, Vectors>(x.from_row(i), panel, rows - i, depth, y + i * cols, cols, add);
}

/// y = x w for few columns; y: (rows, cols), x: (rows, depth), w: (depth, cols) at w[p * w_row + c * w_col].
template <class T, int Vectors>
void narrow(strided<T> x, const T* w, index w_row, index w_col, T* y, index rows, index depth, index cols) {
  constexpr int rows_at_once = Vectors == 1 ? registers / 2 : Vectors == 4 ? registers / 8 : registers / 4;
  constexpr index width = Vectors * lanes<T>::count;
  alignas(64) T panel[block<T> * width];
  for (index p = 0; p < depth; p += block<T>) {
    const index deep = depth - p < block<T> ? depth - p : block<T>;
    for (index q = 0; q < deep; ++q)
      for (index c = 0; c < width; ++c) panel[q * width + c] = c < cols ? w[(p + q) * w_row + c * w_col] : T{0};
    tiles<T, rows_at_once, Vectors>(x.from_inner(p), panel, rows, deep, y, cols, p != 0);
  }
}

template <class T> using matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// y = x w by Eigen in cubes of `block`; X and W are expressions of Eigen, y is a row-major (rows, cols).
template <class T, class X, class W> void wide(const X& x, const W& w, T* y_data) {
  Eigen::Map<matrix<T>> y(y_data, x.rows(), w.cols());
  constexpr index step = block<T>;
  const auto part = [](index begin, index end) { return end - begin < step ? end - begin : step; };
  for (index c = 0; c < w.cols(); c += step)
    for (index p = 0; p < x.cols(); p += step) {
      const index depth = part(p, x.cols()), cols = part(c, w.cols());
      for (index r = 0; r < x.rows(); r += step) {
        const index rows = part(r, x.rows());
        auto out = y.block(r, c, rows, cols);
        if (p == 0) out.noalias() = x.block(r, p, rows, depth) * w.block(p, c, depth, cols);
        else out.noalias() += x.block(r, p, rows, depth) * w.block(p, c, depth, cols);
      }
    }
}

/// The narrow form where the columns fit a few vectors; false where Eigen serves better.
template <class T>
bool narrow_if_few(strided<T> x, const T* w, index w_row, index w_col, T* y, index rows, index depth, index cols) {
  constexpr int n = lanes<T>::count;
  if (cols <= n) return narrow<T, 1>(x, w, w_row, w_col, y, rows, depth, cols), true;
  if (cols <= 2 * n) return narrow<T, 2>(x, w, w_row, w_col, y, rows, depth, cols), true;
  if (cols <= 3 * n) return narrow<T, 3>(x, w, w_row, w_col, y, rows, depth, cols), true;
  return false;
}

template <class T>
void product_block(const T* x, const T* w, T* y, index rows, index inner, index cols, bool transpose_w) {
  if (narrow_if_few<T>({x, inner, 1}, w, transpose_w ? 1 : cols, transpose_w ? inner : 1, y, rows, inner, cols)) return;
  const Eigen::Map<const matrix<T>> left(x, rows, inner);
  if (transpose_w) wide(left, Eigen::Map<const matrix<T>>(w, cols, inner).transpose(), y);
  else wide(left, Eigen::Map<const matrix<T>>(w, inner, cols), y);
}

/// y = x^T g for columns of x: x: (rows, k) of which `columns` are used, g: (rows, m), y: (columns, m).
template <class T> void reduced_block(const T* x, index k, index columns, const T* g, T* y, index rows, index m) {
  if (narrow_if_few<T>({x, 1, k}, g, m, 1, y, columns, rows, m)) return;
  const Eigen::Map<const matrix<T>, 0, Eigen::OuterStride<>> left(x, rows, columns, Eigen::OuterStride<>(k));
  wide(left.transpose(), Eigen::Map<const matrix<T>>(g, rows, m), y);
}

inline constexpr dense_table table = {{product_block<float>, reduced_block<float>},
                                      {product_block<double>, reduced_block<double>}};

}  // namespace stg::STG_DENSE_ISA
