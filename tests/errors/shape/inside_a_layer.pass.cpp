// The twin of inside_a_layer.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;

constexpr auto residual = [](auto v, auto x, auto W) {
  return slice<0, 7>(x) + sum(v.in_edges().src(matmul(x, W)));
};
constexpr auto model = [](auto v) {
  return residual(v, v(x), W);
};
auto compiled = stg::compile<model>();
