// The twin of argmax_of_an_axis.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return h;
};
auto compiled = stg::compile<model>();
