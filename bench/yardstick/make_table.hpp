// Instantiates every kernel for the registers of one instruction set.
#pragma once

#include "eight_heads.hpp"
#include "table.hpp"
#include "wide_heads.hpp"

namespace yardstick {

template <int Heads, int Dim, class Kernels> constexpr attention_functions shape() {
  return {Heads, Dim, Kernels::template forward<false>, Kernels::template forward<true>, Kernels::own, Kernels::sweep};
}

template <class S> constexpr table make_table() {
  return {{sum_rows<S, weight::of_neighbour>, sum_rows<S, weight::of_position>, sum_rows<S, weight::of_edge_id>,
           sum_rows<S, weight::of_owner>},
          {shape<8, 8, eight_heads<S>>(), shape<1, 64, wide_heads<S, 1, 64>>(), shape<4, 64, wide_heads<S, 4, 64>>()}};
}

}  // namespace yardstick
