// Rows of neighbours, summed up: of any width, and of those that hidden layers mostly have.
#pragma once

#include "group.hpp"  // group

namespace stg::kernels {

inline constexpr auto row = vertex_feature<"row", extent<"F">>;
inline constexpr auto weight = edge_feature<"weight">;

inline constexpr auto sum_of = [](auto v) { return sum(v.in_edges().src(row)); };
inline constexpr auto mean_of = [](auto v) { return mean(v.in_edges().src(row)); };
inline constexpr auto max_of = [](auto v) { return max(v.in_edges().src(row)); };
inline constexpr auto weighted_sum = [](auto v) { return sum(v.in_edges().src(row) * v.in_edges()(weight)); };

template <int Width> struct rows_of {
  static constexpr auto row = vertex_feature<"row", Width>;
  static constexpr auto sum_of = [](auto v) { return sum(v.in_edges().src(row)); };
  static constexpr auto mean_of = [](auto v) { return mean(v.in_edges().src(row)); };
  using group = kernels::group<plain<sum_of>, plain<mean_of>>;
};

using sums = decltype(group<plain<sum_of>, plain<mean_of>, plain<max_of>, plain<weighted_sum>>() +
                      rows_of<16>::group() + rows_of<32>::group() + rows_of<64>::group() + rows_of<128>::group());

}  // namespace stg::kernels
