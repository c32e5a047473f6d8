// The twin of options_of_leaky_relu.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return leaky_relu(h, 0.2);
};
auto compiled = stg::compile<model>();
