// The twin of list_and_a_dimension.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return stg::concat<stg::axis<0>>(h, h);
};
auto compiled = stg::compile<model>();
