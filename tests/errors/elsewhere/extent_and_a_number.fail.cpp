// An extent and a number as arguments.
// build error: stg: extents stand in brackets: full<16>\(v, 0\.5\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return h + stg::full(7, 0.5);  // <- here
};
auto compiled = stg::compile<model>();
