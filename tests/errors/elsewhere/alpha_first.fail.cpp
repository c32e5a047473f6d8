// Alpha before the value.
// build error: stg: elu takes the value, then alpha: elu\(x, 1\.0\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return elu(1.0, h);  // <- here
};
auto compiled = stg::compile<model>();
