// Instantiates every kernel for the registers of one instruction set.
#pragma once

#include "eight_heads.hpp"
#include "table.hpp"
#include "wide_heads.hpp"

namespace yardstick {

template <class S> constexpr table make_table() {
  using forward = forward_arguments;
  using backward = backward_arguments;
  using eight = eight_heads<S>;
  using one = wide_heads<S, 1, 64>;
  using four = wide_heads<S, 4, 64>;
  return {
      {sum_rows<S, weight::of_neighbour>, sum_rows<S, weight::of_position>, sum_rows<S, weight::of_edge_id>,
       sum_rows<S, weight::of_owner>},
      {{8, 8, [](const forward& a, std::int32_t i, std::int32_t n, float*) { eight::forward(a, i, n); }, eight::record,
        [](const backward& a, std::int32_t i, std::int32_t n, float*) { eight::backward_along_in_edges(a, i, n); },
        [](const backward& a, std::int32_t i, std::int32_t n, float*) {
          eight::template backward_along_out_edges<false>(a, i, n);
        },
        [](const backward& a, std::int32_t i, std::int32_t n, float*) {
          eight::template backward_along_out_edges<true>(a, i, n);
        }},
       {1, 64, one::forward, one::record, one::backward_along_in_edges, one::template backward_along_out_edges<false>,
        one::template backward_along_out_edges<true>},
       {4, 64, four::forward, four::record, four::backward_along_in_edges,
        four::template backward_along_out_edges<false>, four::template backward_along_out_edges<true>}}};
}

}  // namespace yardstick
