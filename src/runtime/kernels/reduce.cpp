// Reductions over all vertices.
#include <stg/runtime/reduce.hpp>

#include <algorithm>  // copy, fill
#include <cstdint>    // int64_t

#include <stg/base/lowest.hpp>       // lowest
#include <stg/runtime/parallel.hpp>  // parallel_if_worth

namespace stg {

namespace {

template <class T, class X> void take_row(vertex_reduction how, T* y, const X* x, std::int64_t width) {
  if (how == vertex_reduction::sum) {
    for (std::int64_t f = 0; f < width; ++f) y[f] += x[f];
  } else {
    for (std::int64_t f = 0; f < width; ++f) y[f] = y[f] < x[f] ? T(x[f]) : y[f];
  }
}

/// Four rows, so that y is read and written once for them, and asked for 4 KiB before they are read: the processor's
/// own prefetching ends at every page (1.5 times as long).
template <class T, class X> void take_four_rows(vertex_reduction how, T* y, const X* x, std::int64_t width) {
  constexpr std::int64_t line = 64 / sizeof(X), distance = 64 * line;
  for (std::int64_t k = 0; k < 4 * width; k += line) __builtin_prefetch(x + k + distance);
  const X *second = x + width, *third = second + width, *fourth = third + width;
  if (how == vertex_reduction::sum) {
    for (std::int64_t f = 0; f < width; ++f) y[f] += (x[f] + second[f]) + (third[f] + fourth[f]);
  } else {
    for (const X* row : {x, second, third, fourth}) take_row(how, y, row, width);
  }
}

constexpr std::int64_t strands = 16, narrow = 8;

/// The sum of narrow rows, of which 16 are added to 16 sums at a time: one sum would wait for each addition in turn.
template <class T, class X> void sum_narrow_rows(T* y, const X* x, std::int64_t rows, std::int64_t width) {
  T sums[strands * narrow];
  std::copy(x, x + strands * width, sums);
  std::int64_t r = strands;
  for (; r + strands <= rows; r += strands)
    for (std::int64_t k = 0; k < strands * width; ++k) sums[k] += x[r * width + k];
  for (std::int64_t k = 0; k < (rows - r) * width; ++k) sums[k] += x[r * width + k];
  std::copy(sums, sums + width, y);
  for (std::int64_t s = 1; s < strands; ++s) take_row(vertex_reduction::sum, y, sums + s * width, width);
}

template <class T, class X>
void take_rows(vertex_reduction how, T* y, const X* x, std::int64_t rows, std::int64_t width) {
  if (how == vertex_reduction::sum && width <= narrow && rows >= 2 * strands) return sum_narrow_rows(y, x, rows, width);
  std::int64_t r = 0;
  if (how == vertex_reduction::max) std::fill(y, y + width, lowest<T>());
  else std::copy(x, x + width, y), r = 1;
  for (; r + 4 <= rows; r += 4) take_four_rows(how, y, x + r * width, width);
  for (; r < rows; ++r) take_row(how, y, x + r * width, width);
}

}  // namespace

template <class T, class X>
void reduce_vertices(vertex_reduction how, const X* x, T* y, T* scratch, std::int64_t rows, std::int64_t width) {
  const std::int64_t slabs = reduce_slabs(rows);
  if (rows == 0) return std::fill(y, y + width, T{});
  if (slabs == 1) return take_rows(how, y, x, rows, width);
  const auto first_row = [=](std::int64_t slab) { return rows * slab / slabs; };
  parallel_if_worth(rows * width / 2, slabs, [&](std::int64_t slab) {
    const std::int64_t first = first_row(slab);
    take_rows(how, scratch + slab * width, x + first * width, first_row(slab + 1) - first, width);
  });
  take_rows(how, y, scratch, slabs, width);
}

template void reduce_vertices(vertex_reduction, const float*, float*, float*, std::int64_t, std::int64_t);
template void reduce_vertices(vertex_reduction, const bfloat16*, float*, float*, std::int64_t, std::int64_t);
template void reduce_vertices(vertex_reduction, const float16*, float*, float*, std::int64_t, std::int64_t);
template void reduce_vertices(vertex_reduction, const double*, double*, double*, std::int64_t, std::int64_t);
template void reduce_vertices(vertex_reduction, const std::int32_t*, std::int32_t*, std::int32_t*, std::int64_t,
                              std::int64_t);

}  // namespace stg
