// Instantiates every kernel for the registers of one instruction set.
#pragma once

#include "eight_heads.hpp"
#include "table.hpp"
#include "wide_heads.hpp"

namespace yardstick {

template <class S> constexpr table make_table() {
  using eight = eight_heads<S>;
  using one = wide_heads<S, 1, 64>;
  using four = wide_heads<S, 4, 64>;
  return {{sum_rows<S, weight::of_neighbour>, sum_rows<S, weight::of_position>, sum_rows<S, weight::of_edge_id>,
           sum_rows<S, weight::of_owner>},
          {{8, 8, [](const forward_arguments& a, std::int32_t i, std::int32_t n, float*) { eight::forward(a, i, n); },
            eight::record,
            [](const backward_arguments& a, std::int32_t i, std::int32_t n, float*) { eight::backward(a, i, n); }},
           {1, 64, one::forward, one::record, one::backward},
           {4, 64, four::forward, four::record, four::backward}}};
}

}  // namespace yardstick
