// A further argument of elu.
// build error: stg: elu takes other arguments: elu\(x, 1\.0\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return elu(h, 1.0, true);  // <- here
};
auto compiled = stg::compile<model>();
