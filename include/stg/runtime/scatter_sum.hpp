// Rows summed by an index: the gradient of a table, such as an embedding's, that rows pick from.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstddef>  // byte
#include <cstdint>  // int32_t, int64_t

namespace stg {

/// Rows of one entry that are summed separately; what several parts gave is added in ascending order.
inline constexpr std::int64_t scattered_part = 4096;

/// Bytes of scratch that `scatter_sum` needs for numbers of `element_bytes`: 8 an entry, 4 a row, and the sums of
/// parts.
constexpr std::int64_t scatter_sum_scratch(std::int64_t rows, std::int64_t entries, std::int64_t width,
                                           std::int64_t element_bytes) {
  const std::int64_t most_long = rows / scattered_part, most_parts = 2 * most_long;
  return 8 * (entries + 2) + (rows + 2 * most_long + 2) / 2 * 8 + most_parts * width * element_bytes;
}

/// Error when there are more than 2^31 - 2 rows or entries, which are numbered in 32 bits.
void check_scattered(std::int64_t rows, std::int64_t entries);

/// y[i] = Σ x[row] over the rows whose index is i; x: (rows, width), index: (rows), y: (entries, width), row-major.
/// Rows with an index outside of [0, entries) count nowhere; an entry that no row names is 0. The rows of an entry are
/// added in ascending order, in parts of `scattered_part`: bitwise equal for any number of threads. Time and memory are
/// those of the rows and the entries. scratch: scatter_sum_scratch(rows, entries, width, sizeof(T)) bytes at a multiple
/// of 8. Errors as check_scattered. T is float or double.
///
///   stg::scatter_sum(cotangents.data(), ids.data(), gradient.data(), scratch.data(), 2708, 5000, 16);
template <class T>
void scatter_sum(const T* x, const std::int32_t* index, T* y, std::byte* scratch, std::int64_t rows,
                 std::int64_t entries, std::int64_t width);

extern template void scatter_sum(const float*, const std::int32_t*, float*, std::byte*, std::int64_t, std::int64_t,
                                 std::int64_t);
extern template void scatter_sum(const double*, const std::int32_t*, double*, std::byte*, std::int64_t, std::int64_t,
                                 std::int64_t);

}  // namespace stg
