// The twin of weights_of_a_mean.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto w = stg::edge_feature<"w">;
constexpr auto U = stg::parameter<"U", 8, 4>;
constexpr auto V = stg::parameter<"V", 8, 4>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return matmul(v(x), U) + matmul(sum(e(w) * e.src(x)), V);
};
auto compiled = stg::compile<model>();
