// Which element of a result an element of a row falls into, where any of its axes are reduced.
#pragma once

#include <cstdint>  // int64_t

#include <stg/base/config.hpp>  // STG_INLINE
#include <stg/ir/shape.hpp>     // shape

namespace stg::codegen {

/// Calls take(element of the result, element) for the elements of a row, in ascending order. reduced: a bit per axis.
/// To the right of the last reduced axis results lie one beside another, as elements do: a loop for registers.
template <class Take>
STG_INLINE void for_each_reduced(const std::int64_t* extents, int rank, std::int64_t reduced, const Take& take) {
  std::int64_t strides[ir::shape::max_rank] = {}, index[ir::shape::max_rank] = {};
  std::int64_t run = 1, n = 1;
  int outer = rank;
  while (outer > 0 && !(reduced >> (outer - 1) & 1)) run *= extents[--outer];
  std::int64_t stride = run;
  for (int a = outer - 1; a >= 0; --a) {
    n *= extents[a];
    if (reduced >> a & 1) continue;
    strides[a] = stride;
    stride *= extents[a];
  }
  std::int64_t at = 0;
  for (std::int64_t k = 0; k < n; ++k) {
    for (std::int64_t i = 0; i < run; ++i) take(at + i, k * run + i);
    for (int a = outer - 1; a >= 0; --a) {
      at += strides[a];
      if (++index[a] < extents[a]) break;
      at -= strides[a] * extents[a];
      index[a] = 0;
    }
  }
}

}  // namespace stg::codegen
