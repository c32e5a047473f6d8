// A list of values and a dimension.
// build error: stg: values stand side by side, not in braces: concat<axis<0>>\(a, b\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return stg::concat({h, h}, 0);  // <- here
};
auto compiled = stg::compile<model>();
