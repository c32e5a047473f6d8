// Drawing the random masks of dropout.
#pragma once

#include <cstdint>  // int64_t

namespace stg {

/// The mask of one row: 1 / (1 - p) where stg::keeps says so, else 0; to: (width). 0 <= p < 1. Bitwise equal for every
/// instruction set. T is float or double.
///
///   stg::draw_keep_row(mask.data(), seed, call, site, vertex, 1433, 0.5);
template <class T>
void draw_keep_row(T* to, std::uint64_t seed, std::uint32_t call, std::int64_t site, std::int64_t row,
                   std::int64_t width, double p);

extern template void draw_keep_row(float*, std::uint64_t, std::uint32_t, std::int64_t, std::int64_t, std::int64_t,
                                   double);
extern template void draw_keep_row(double*, std::uint64_t, std::uint32_t, std::int64_t, std::int64_t, std::int64_t,
                                   double);

}  // namespace stg
