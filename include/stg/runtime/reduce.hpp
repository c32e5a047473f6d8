// Reductions over all vertices, in slabs that do not depend on the number of threads.
#pragma once

#include <stg/base/float16.hpp>   // bfloat16, float16
#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t

namespace stg {

enum class vertex_reduction : int { sum, max };

/// Slabs of rows that are reduced separately and combined in ascending order: 1 to 64, by the number of rows alone.
constexpr std::int64_t reduce_slabs(std::int64_t rows) { return rows < 1024 ? 1 : rows >= 64 * 512 ? 64 : rows / 512; }

/// Elements of scratch that `reduce_vertices` needs.
constexpr std::int64_t reduce_vertices_scratch(std::int64_t rows, std::int64_t width) {
  return reduce_slabs(rows) == 1 ? 0 : reduce_slabs(rows) * width;
}

/// y[f] = sum or maximum over rows of x[row, f]; x: (rows, width), y: (width). Over no rows: 0. Bitwise equal for any
/// number of threads. scratch: reduce_vertices_scratch(rows, width) elements. T is float, double or int32_t, and X the
/// same; or T is float and X bfloat16 or float16.
///
///   stg::reduce_vertices(stg::vertex_reduction::sum, x.data(), y.data(), scratch.data(), 2708, 16);
template <class T, class X>
void reduce_vertices(vertex_reduction how, const X* x, T* y, T* scratch, std::int64_t rows, std::int64_t width);

extern template void reduce_vertices(vertex_reduction, const float*, float*, float*, std::int64_t, std::int64_t);
extern template void reduce_vertices(vertex_reduction, const bfloat16*, float*, float*, std::int64_t, std::int64_t);
extern template void reduce_vertices(vertex_reduction, const float16*, float*, float*, std::int64_t, std::int64_t);
extern template void reduce_vertices(vertex_reduction, const double*, double*, double*, std::int64_t, std::int64_t);
extern template void reduce_vertices(vertex_reduction, const std::int32_t*, std::int32_t*, std::int32_t*, std::int64_t,
                                     std::int64_t);

}  // namespace stg
