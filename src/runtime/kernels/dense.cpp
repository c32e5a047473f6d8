// Dense products cut into parts.
#include "dense_table.hpp"  // dense_table
#include "isa_index.hpp"    // isa_index

#include <stg/runtime/dense.hpp>     // product, product_time
#include <stg/runtime/parallel.hpp>  // parallel_if_worth

#include <algorithm>  // fill_n, min

namespace stg {

namespace {

constexpr std::int64_t block_rows = 240;         // of a product: whole groups of its kernel
constexpr std::int64_t block_columns = 256;      // of x in a reduced product
constexpr std::int64_t combine_elements = 4096;  // of slabs added up by one part

/// Results from this size on are written past the caches: their lines are then not read before they are overwritten,
/// and two threads need 30 % less time for a product of 128 × 128. A random gather that follows still wins at 25 MB,
/// and loses at 13.
constexpr std::int64_t bytes_past_caches = std::int64_t{16} << 20;

constexpr const dense_table* dense_tables[] = {STG_FOR_EACH_ISA(&dense_table)};

template <class T> const dense_functions<T>& functions() {
  const dense_table& table = *dense_tables[detail::isa_index()];
  if constexpr (sizeof(T) == sizeof(float)) return table.f32;
  else return table.f64;
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

template <class T>
void run_rows(const T* x, const T* packed, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols, bool past) {
  if (rows == 0 || cols == 0) return;
  if (inner == 0) std::fill_n(y, rows * cols, T{0});
  else functions<T>().product_rows(x, packed, y, rows, inner, cols, past);
}

}  // namespace

template <class T> void pack_product(const T* w, T* packed, std::int64_t inner, std::int64_t cols, bool transpose_w) {
  if (inner != 0 && cols != 0) functions<T>().pack(w, packed, inner, cols, transpose_w);
}

template <class T>
void product_rows(const T* x, const T* packed, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols) {
  run_rows(x, packed, y, rows, inner, cols, false);
}

template <class T>
void packed_product(const T* x, const T* packed, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols) {
  const bool past = rows * cols * static_cast<std::int64_t>(sizeof(T)) >= bytes_past_caches &&
                    reinterpret_cast<std::uintptr_t>(y) % 64 == 0;
  const std::int64_t step = rows < 64 * block_rows ? block_rows : 4 * block_rows;
  parallel_if_worth(product_time(rows, inner, cols), ceil_div(rows, step), [&](std::int64_t part) {
    const std::int64_t begin = part * step;
    run_rows(x + begin * inner, packed, y + begin * cols, std::min(step, rows - begin), inner, cols, past);
  });
}

template <class T>
void product(const T* x, const T* w, T* y, T* scratch, std::int64_t rows, std::int64_t inner, std::int64_t cols,
             bool transpose_w) {
  pack_product(w, scratch, inner, cols, transpose_w);
  packed_product(x, scratch, y, rows, inner, cols);
}

template <class T>
void reduced_product_rows(const T* x, const T* g, T* sums, std::int64_t rows, std::int64_t k, std::int64_t m,
                          bool add) {
  if (k == 0 || m == 0) return;
  if (rows != 0) functions<T>().reduced_rows(x, k, k, g, sums, rows, m, add);
  else if (!add) std::fill_n(sums, k * m, T{0});
}

template <class T>
void reduced_product(const T* x, const T* g, T* y, T* scratch, std::int64_t rows, std::int64_t k, std::int64_t m) {
  if (k == 0 || m == 0) return;
  if (rows == 0) {
    std::fill_n(y, k * m, T{0});
    return;
  }
  const std::int64_t slabs = reduced_product_slabs(rows), strips = ceil_div(k, block_columns), size = k * m;
  T* const sums = slabs == 1 ? y : scratch;  // (slabs, k, m)
  const auto run = functions<T>().reduced_rows;
  parallel_if_worth(product_time(rows, k, m), slabs * strips, [&](std::int64_t part) {
    const std::int64_t slab = part / strips, column = part % strips * block_columns;
    const std::int64_t begin = rows * slab / slabs, end = rows * (slab + 1) / slabs;
    run(x + begin * k + column, k, std::min(block_columns, k - column), g + begin * m, sums + slab * size + column * m,
        end - begin, m, false);
  });
  if (slabs == 1) return;
  parallel_if_worth(size * slabs / 4, ceil_div(size, combine_elements), [&](std::int64_t part) {
    const std::int64_t begin = part * combine_elements, end = std::min(begin + combine_elements, size);
    for (std::int64_t i = begin; i < end; ++i) {
      T sum = sums[i];
      for (std::int64_t slab = 1; slab < slabs; ++slab) sum += sums[slab * size + i];
      y[i] = sum;
    }
  });
}

#define STG_INSTANTIATE(T)                                                                                    \
  template void pack_product(const T*, T*, std::int64_t, std::int64_t, bool);                                 \
  template void product_rows(const T*, const T*, T*, std::int64_t, std::int64_t, std::int64_t);               \
  template void packed_product(const T*, const T*, T*, std::int64_t, std::int64_t, std::int64_t);             \
  template void product(const T*, const T*, T*, T*, std::int64_t, std::int64_t, std::int64_t, bool);          \
  template void reduced_product_rows(const T*, const T*, T*, std::int64_t, std::int64_t, std::int64_t, bool); \
  template void reduced_product(const T*, const T*, T*, T*, std::int64_t, std::int64_t, std::int64_t);
STG_INSTANTIATE(float)
STG_INSTANTIATE(double)
#undef STG_INSTANTIATE

}  // namespace stg
