// Sparse products cut into parts of rows, and the choice of the instruction set.
#include "isa_index.hpp"     // isa_index
#include "sparse_table.hpp"  // sparse_table

#include <stg/base/keep_mask.hpp>          // keep_threshold, mask_key0
#include <stg/runtime/adjacency.hpp>       // adjacency
#include <stg/runtime/parallel.hpp>        // parallel
#include <stg/runtime/sparse_product.hpp>  // sparse_product

#include <algorithm>  // min

namespace stg {

namespace {

constexpr const sparse_table* sparse_tables[] = {STG_FOR_EACH_ISA(&sparse_table)};

constexpr std::int64_t most_parts = 64;
constexpr std::int64_t draw_time = 2;        // nanoseconds, of one entry's mask
constexpr std::int64_t columns_per_ns = 16;  // of one entry's row

template <class T> const sparse_functions<T>& sparse_kernels() {
  const sparse_table& table = *sparse_tables[detail::isa_index()];
  if constexpr (sizeof(T) == sizeof(float)) return table.f32;
  else return table.f64;
}

/// Parts of equal numbers of rows and entries.
template <class T>
void multiply(const sparse_rows<T>& x, bool by_column, const T* w, T* y, std::int64_t cols, const entry_dropout& drop) {
  if (x.count == 0 || cols == 0) return;
  const entry_mask mask{static_cast<std::uint32_t>(drop.site),
                        mask_key0(drop.seed),
                        mask_key1(drop.seed, drop.call),
                        keep_threshold(drop.probability),
                        drop.probability > 0,
                        by_column,
                        drop.vertices};
  const T kept = static_cast<T>(1 / (1 - drop.probability));
  const adjacency rows(x.count, x.offsets, x.index, nullptr);
  const std::int64_t time =
      (x.entries() + x.count) * cols / columns_per_ns + (mask.draws ? x.entries() * draw_time : 0);
  const std::int64_t parts = worth_threads(time) ? std::min(time / least_part_time, most_parts) : 1;
  const auto run = sparse_kernels<T>().rows;
  parallel(parts, [&](std::int64_t part) {
    const std::int64_t first = rows.split(part, parts), last = rows.split(part + 1, parts);
    if (first < last) run(x, first, last, w, y, cols, mask, kept);
  });
}

}  // namespace

template <class T>
void sparse_product(const sparse_view<T>& x, const T* w, T* y, std::int64_t cols, const entry_dropout& drop) {
  multiply(x.by_row, false, w, y, cols, drop);
}

template <class T>
void sparse_reduced_product(const sparse_view<T>& x, const T* g, T* y, std::int64_t cols, const entry_dropout& drop) {
  multiply(x.by_column, true, g, y, cols, drop);
}

template void sparse_product(const sparse_view<float>&, const float*, float*, std::int64_t, const entry_dropout&);
template void sparse_product(const sparse_view<double>&, const double*, double*, std::int64_t, const entry_dropout&);
template void sparse_reduced_product(const sparse_view<float>&, const float*, float*, std::int64_t,
                                     const entry_dropout&);
template void sparse_reduced_product(const sparse_view<double>&, const double*, double*, std::int64_t,
                                     const entry_dropout&);

}  // namespace stg
