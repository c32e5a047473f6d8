// Dense products cut into blocks.
#include "dense_table.hpp"  // dense_table
#include "isa_index.hpp"    // isa_index

#include <stg/runtime/dense.hpp>     // product, reduced_product
#include <stg/runtime/parallel.hpp>  // parallel

#include <algorithm>  // fill_n, min

namespace stg {

namespace {

constexpr std::int64_t block_rows = 256;         // of a product
constexpr std::int64_t block_columns = 256;      // of x in a reduced product
constexpr std::int64_t serial_work = 1 << 19;    // multiplications below which waking threads costs more
constexpr std::int64_t combine_elements = 4096;  // of slabs added up by one part

constexpr const dense_table* tables[] = {STG_FOR_EACH_ISA(&dense_table)};

template <class T> const dense_functions<T>& functions() {
  const dense_table& table = *tables[detail::isa_index()];
  if constexpr (sizeof(T) == sizeof(float)) return table.f32;
  else return table.f64;
}

/// Same parts either way; only who runs them differs.
template <class Body> void parallel_if_large(std::int64_t work, std::int64_t parts, Body&& body) {
  if (work < serial_work)
    for (std::int64_t part = 0; part < parts; ++part) body(part);
  else parallel(parts, body);
}

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

template <class T>
void product(const T* x, const T* w, T* y, std::int64_t rows, std::int64_t inner, std::int64_t cols, bool transpose_w) {
  if (rows == 0 || cols == 0) return;
  if (inner == 0) {
    std::fill_n(y, rows * cols, T{0});
    return;
  }
  const auto run = functions<T>().product_block;
  parallel_if_large(rows * inner * cols, ceil_div(rows, block_rows), [&](std::int64_t part) {
    const std::int64_t begin = part * block_rows;
    run(x + begin * inner, w, y + begin * cols, std::min(block_rows, rows - begin), inner, cols, transpose_w);
  });
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
  const auto run = functions<T>().reduced_block;
  parallel_if_large(rows * size, slabs * strips, [&](std::int64_t part) {
    const std::int64_t slab = part / strips, column = part % strips * block_columns;
    const std::int64_t begin = rows * slab / slabs, end = rows * (slab + 1) / slabs;
    run(x + begin * k + column, k, std::min(block_columns, k - column), g + begin * m, sums + slab * size + column * m,
        end - begin, m);
  });
  if (slabs == 1) return;
  parallel_if_large(size * slabs, ceil_div(size, combine_elements), [&](std::int64_t part) {
    const std::int64_t begin = part * combine_elements, end = std::min(begin + combine_elements, size);
    for (std::int64_t i = begin; i < end; ++i) {
      T sum = sums[i];
      for (std::int64_t slab = 1; slab < slabs; ++slab) sum += sums[slab * size + i];
      y[i] = sum;
    }
  });
}

template void product(const float*, const float*, float*, std::int64_t, std::int64_t, std::int64_t, bool);
template void product(const double*, const double*, double*, std::int64_t, std::int64_t, std::int64_t, bool);
template void reduced_product(const float*, const float*, float*, float*, std::int64_t, std::int64_t, std::int64_t);
template void reduced_product(const double*, const double*, double*, double*, std::int64_t, std::int64_t, std::int64_t);

}  // namespace stg
