// The twin of edges.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  h = sum(v.in_edges().src(h));
  return h;
};
auto compiled = stg::compile<model>();
