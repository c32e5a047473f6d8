// A further argument of leaky_relu.
// build error: stg: leaky_relu takes other arguments: leaky_relu\(x, 0\.2\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return leaky_relu(h, 0.2, true);  // <- here
};
auto compiled = stg::compile<model>();
