// The slope in brackets.
// build error: stg: the slope is an argument, not in brackets: leaky_relu\(x, 0\.2\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return stg::leaky_relu<1>(h);  // <- here
};
auto compiled = stg::compile<model>();
