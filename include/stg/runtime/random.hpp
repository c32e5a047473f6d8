// Drawing the random masks of dropout.
#pragma once

#include <stg/base/standard.hpp>  // C++20

#include <cstdint>  // int64_t

namespace stg {

/// The mask of one row: 1 / (1 - p) where stg::keeps says so, else 0; to: (width). 0 <= p < 1. Bitwise equal for every
/// instruction set. T is float or double.
///
///   stg::draw_keep_row(mask.data(), seed, call, site, vertex, 1433, 0.5);
template <class T>
void draw_keep_row(T* to, std::uint64_t seed, std::uint32_t call, std::int64_t site, std::int64_t row,
                   std::int64_t width, double p);

/// The masks of several rows, as for the edges of a vertex: row j is rows[j] and begins at to + j * stride;
/// to: (count, stride), of which `width` elements each are written. Rows of a few elements are drawn together.
///
///   stg::draw_keep_rows(mask.data(), 8, seed, call, site, edge_ids, edges, 8, 0.6);
template <class T>
void draw_keep_rows(T* to, std::int64_t stride, std::uint64_t seed, std::uint32_t call, std::int64_t site,
                    const std::int64_t* rows, std::int64_t count, std::int64_t width, double p);

/// The same for rows id(0), id(1), …, of which ids are made for some at a time.
template <class T, class Id>
[[gnu::always_inline]] inline void draw_keep_rows(T* to, std::int64_t stride, std::uint64_t seed, std::uint32_t call,
                                                  std::int64_t site, std::int64_t count, std::int64_t width, double p,
                                                  const Id& id) {
  constexpr std::int64_t at_once = 64;
  std::int64_t ids[at_once];
  for (std::int64_t begin = 0; begin < count; begin += at_once) {
    const std::int64_t n = count - begin < at_once ? count - begin : at_once;
    for (std::int64_t k = 0; k < n; ++k) ids[k] = id(begin + k);
    draw_keep_rows(to + begin * stride, stride, seed, call, site, ids, n, width, p);
  }
}

extern template void draw_keep_rows(float*, std::int64_t, std::uint64_t, std::uint32_t, std::int64_t,
                                    const std::int64_t*, std::int64_t, std::int64_t, double);
extern template void draw_keep_rows(double*, std::int64_t, std::uint64_t, std::uint32_t, std::int64_t,
                                    const std::int64_t*, std::int64_t, std::int64_t, double);
extern template void draw_keep_row(float*, std::uint64_t, std::uint32_t, std::int64_t, std::int64_t, std::int64_t,
                                   double);
extern template void draw_keep_row(double*, std::uint64_t, std::uint32_t, std::int64_t, std::int64_t, std::int64_t,
                                   double);

}  // namespace stg
