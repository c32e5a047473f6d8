// Dense products, in blocks that do not depend on the number of threads, so that results do not either.
#pragma once

#include <stg/base/float16.hpp>   // bfloat16, float16
#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t

namespace stg {

/// Elements that `pack_product` writes and `product` needs as scratch: inner × cols, rounded up to whole cache lines of
/// columns. The same for every instruction set.
template <class T> constexpr std::int64_t product_scratch(std::int64_t inner, std::int64_t cols) {
  constexpr std::int64_t line = 64 / sizeof(T);
  return inner * ((cols + line - 1) / line * line);
}

/// What one thread needs for a product, in nanoseconds: 64 multiplications in one, and no less where a vector of
/// columns is not full.
constexpr std::int64_t product_time(std::int64_t rows, std::int64_t inner, std::int64_t cols) {
  return rows * inner * ((cols + 15) / 16 * 16) / 64;
}

/// Lays w out for `product_rows`. w: (inner, cols), or (cols, inner) with transpose_w, row-major;
/// packed: product_scratch<T>(inner, cols) elements, valid until `set_isa` is called. Serial. T is float or double.
template <class T> void pack_product(const T* w, T* packed, std::int64_t inner, std::int64_t cols, bool transpose_w);

/// y = x w for a block of rows, in the calling thread and without allocating, for use inside somebody else's
/// `parallel`. x: (rows, inner), y: (rows, cols), row-major and not overlapping; inner == 0 gives zeros. A row's bits
/// depend on that row and w alone: they are those of `product`, however rows are cut into blocks. Blocks of a multiple
/// of 48 rows waste nothing. T is float or double.
///
///   std::vector<float> packed(stg::product_scratch<float>(128, 40));
///   stg::pack_product(w.data(), packed.data(), 128, 40, false);
///   stg::parallel(rows / 240, [&](std::int64_t b) {
///     stg::product_rows(x.data() + b * 240 * 128, packed.data(), y.data() + b * 240 * 40, 240, 128, 40);
///   });
template <class T>
void product_rows(const T* x, const T* packed, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols);

/// y = x w; x: (rows, inner), y: (rows, cols), w: (inner, cols), or (cols, inner) with transpose_w; all row-major and
/// not overlapping. scratch: product_scratch<T>(inner, cols) elements. inner == 0 gives zeros. Parallel over row
/// blocks; bitwise equal for any number of threads. T is float or double.
///
///   stg::product(x.data(), w.data(), y.data(), scratch.data(), 2708, 1433, 16, false);
template <class T>
void product(const T* x, const T* w, T* y, T* scratch, std::int64_t rows, std::int64_t inner, std::int64_t cols,
             bool transpose_w);

/// The same with w as `pack_product` laid it out, for one that is multiplied by several times.
///
///   stg::packed_product(x.data(), packed.data(), y.data(), 2708, 1433, 16);
template <class T>
void packed_product(const T* x, const T* packed, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols);

/// sums = x^T g over a block of rows, or sums += x^T g with `add`, in the calling thread and without allocating.
/// x: (rows, k), g: (rows, m), sums: (k, m), row-major and not overlapping; no rows leave or give zeros. How rows are
/// cut into calls is part of the rounding, so it must not depend on the number of threads; blocks of a multiple of 128
/// rows waste nothing. T is float or double.
///
///   for (std::int64_t r = 0; r < rows; r += 256)
///     stg::reduced_product_rows(x + r * k, g + r * m, sums, std::min<std::int64_t>(256, rows - r), k, m, r != 0);
template <class T>
void reduced_product_rows(const T* x, const T* g, T* sums, std::int64_t rows, std::int64_t k, std::int64_t m, bool add);

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

// ---- rows of two bytes a number ----
//
// The same products of rows that are stored as bfloat16 or float16, with the bits of their float forms: some rows at a
// time are widened into room, in a cache. X and G are bfloat16 or float16; one of a reduced product's may be float.

/// Rows that are widened at a time: whole groups of a product's kernel, and of a reduced one.
inline constexpr std::int64_t widened_rows = 48, widened_depth = 128;
/// Columns of x that a part of a reduced product takes.
inline constexpr std::int64_t reduced_block_columns = 256;

/// Elements of room that each slot needs.
constexpr std::int64_t widened_product_room(std::int64_t inner) { return widened_rows * inner; }
constexpr std::int64_t widened_reduced_room(std::int64_t k, std::int64_t m) {
  return widened_depth * ((k < reduced_block_columns ? k : reduced_block_columns) + m);
}

/// In the calling thread. room: widened_product_room(inner) elements.
template <class X>
void product_rows(const X* x, const float* packed, float* y, float* room, std::int64_t rows, std::int64_t inner,
                  std::int64_t cols);
/// room: slots × widened_product_room(inner) elements.
template <class X>
void packed_product(const X* x, const float* packed, float* y, float* room, std::int64_t slots, std::int64_t rows,
                    std::int64_t inner, std::int64_t cols);
/// scratch: as of the float form; room: slots × widened_reduced_room(k, m) elements.
template <class X, class G>
void reduced_product(const X* x, const G* g, float* y, float* scratch, float* room, std::int64_t slots,
                     std::int64_t rows, std::int64_t k, std::int64_t m);

}  // namespace stg
