// The twin of graph_value_without_axis.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto W = stg::parameter<"W", 1, 4>;
constexpr auto model = [](auto v) {
  return matmul(stg::reshape<1>(sum(v(x), stg::all_vertices)), W);
};
auto compiled = stg::compile<model>();
