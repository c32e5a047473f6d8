// The rate of dropout before the value.
// build error: stg: dropout takes the value first: dropout\(h, 0\.5\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return dropout(0.5, h);  // <- here
};
auto compiled = stg::compile<model>();
