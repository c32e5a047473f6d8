// Dense products cut into parts.
#include "dense_table.hpp"  // dense_table
#include "isa_index.hpp"    // isa_index

#include <stg/runtime/dense.hpp>     // product, product_time
#include <stg/runtime/parallel.hpp>  // parallel_if_worth, parallel_in_slots, worth_threads

#include <algorithm>  // fill_n, min

namespace stg {

namespace {

constexpr std::int64_t block_rows = 240;  // of a product: whole groups of its kernel
constexpr std::int64_t block_columns = reduced_block_columns;
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

template <class T> bool goes_past_caches(const T* y, std::int64_t rows, std::int64_t cols) {
  return rows * cols * static_cast<std::int64_t>(sizeof(T)) >= bytes_past_caches &&
         reinterpret_cast<std::uintptr_t>(y) % 64 == 0;
}
std::int64_t rows_of_part(std::int64_t rows) { return rows < 64 * block_rows ? block_rows : 4 * block_rows; }

template <class X> void widen(const X* from, float* to, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) to[i] = from[i];
}
/// As run_rows, a group of rows after the other.
template <class X>
void run_narrow_rows(const X* x, const float* packed, float* y, float* room, std::int64_t rows, std::int64_t inner,
                     std::int64_t cols, bool past) {
  for (std::int64_t r = 0; r < rows; r += widened_rows) {
    const std::int64_t group = std::min(widened_rows, rows - r);
    widen(x + r * inner, room, group * inner);
    run_rows(room, packed, y + r * cols, group, inner, cols, past);
  }
}

/// Some columns of x over the rows of a slab, and where their products are summed.
template <class T> struct slab_of_rows {
  std::int64_t begin, end, column, columns;
  T* sums;  // (columns, m)
};
/// Sums of a reduced product: run(slab, slot) sums one slab, and the slabs are added in ascending order. slots: of
/// scratch that `run` has; 0: it has none.
template <class T, class Run>
void sum_slabs(T* y, T* scratch, std::int64_t rows, std::int64_t k, std::int64_t m, std::int64_t slots,
               const Run& run) {
  if (k == 0 || m == 0) return;
  if (rows == 0) {
    std::fill_n(y, k * m, T{0});
    return;
  }
  const std::int64_t slabs = reduced_product_slabs(rows), strips = ceil_div(k, block_columns), size = k * m;
  T* const sums = slabs == 1 ? y : scratch;  // (slabs, k, m)
  const auto sum_part = [&](std::int64_t part, std::int64_t slot) {
    const std::int64_t slab = part / strips, column = part % strips * block_columns;
    run({rows * slab / slabs, rows * (slab + 1) / slabs, column, std::min(block_columns, k - column),
         sums + slab * size + column * m},
        slot);
  };
  if (slots == 0)
    parallel_if_worth(product_time(rows, k, m), slabs * strips, [&](std::int64_t part) { sum_part(part, 0); });
  else parallel_in_slots(worth_threads(product_time(rows, k, m)) ? slots : 1, slabs * strips, sum_part);
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
  const bool past = goes_past_caches(y, rows, cols);
  const std::int64_t step = rows_of_part(rows);
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
  const auto run = functions<T>().reduced_rows;
  sum_slabs(y, scratch, rows, k, m, 0, [&](const slab_of_rows<T>& s, std::int64_t) {
    run(x + s.begin * k + s.column, k, s.columns, g + s.begin * m, s.sums, s.end - s.begin, m, false);
  });
}

template <class X>
void product_rows(const X* x, const float* packed, float* y, float* room, std::int64_t rows, std::int64_t inner,
                  std::int64_t cols) {
  run_narrow_rows(x, packed, y, room, rows, inner, cols, false);
}

template <class X>
void packed_product(const X* x, const float* packed, float* y, float* room, std::int64_t slots, std::int64_t rows,
                    std::int64_t inner, std::int64_t cols) {
  const bool past = goes_past_caches(y, rows, cols);
  const std::int64_t step = rows_of_part(rows), parts = ceil_div(rows, step);
  parallel_in_slots(
      worth_threads(product_time(rows, inner, cols)) ? slots : 1, parts, [&](std::int64_t part, std::int64_t slot) {
        const std::int64_t begin = part * step;
        run_narrow_rows(x + begin * inner, packed, y + begin * cols, room + slot * widened_product_room(inner),
                        std::min(step, rows - begin), inner, cols, past);
      });
}

template <class X, class G>
void reduced_product(const X* x, const G* g, float* y, float* scratch, float* room, std::int64_t slots,
                     std::int64_t rows, std::int64_t k, std::int64_t m) {
  sum_slabs(y, scratch, rows, k, m, slots, [&](const slab_of_rows<float>& s, std::int64_t slot) {
    float* const wide_x = room + slot * widened_reduced_room(k, m);             // (depth, columns)
    float* const wide_g = wide_x + widened_depth * std::min(k, block_columns);  // (depth, m)
    for (std::int64_t r = s.begin; r < s.end; r += widened_depth) {
      const std::int64_t depth = std::min(widened_depth, s.end - r);
      for (std::int64_t i = 0; i < depth; ++i) widen(x + (r + i) * k + s.column, wide_x + i * s.columns, s.columns);
      widen(g + r * m, wide_g, depth * m);
      functions<float>().reduced_rows(wide_x, s.columns, s.columns, wide_g, s.sums, depth, m, r != s.begin);
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
#define STG_INSTANTIATE_PAIR(X, G)                                                                                    \
  template void reduced_product(const X*, const G*, float*, float*, float*, std::int64_t, std::int64_t, std::int64_t, \
                                std::int64_t);
#define STG_INSTANTIATE(X)                                                                                       \
  template void product_rows(const X*, const float*, float*, float*, std::int64_t, std::int64_t, std::int64_t);  \
  template void packed_product(const X*, const float*, float*, float*, std::int64_t, std::int64_t, std::int64_t, \
                               std::int64_t);                                                                    \
  STG_INSTANTIATE_PAIR(X, bfloat16)                                                                              \
  STG_INSTANTIATE_PAIR(X, float16)                                                                               \
  STG_INSTANTIATE_PAIR(X, float)                                                                                 \
  STG_INSTANTIATE_PAIR(float, X)
STG_INSTANTIATE(bfloat16)
STG_INSTANTIATE(float16)
#undef STG_INSTANTIATE
#undef STG_INSTANTIATE_PAIR

}  // namespace stg
