// The slope before the value.
// build error: stg: leaky_relu takes the value, then the slope: leaky_relu\(x, 0\.2\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return leaky_relu(0.2, h);  // <- here
};
auto compiled = stg::compile<model>();
