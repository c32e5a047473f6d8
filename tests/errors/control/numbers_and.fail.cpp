// Numbers joined with &.
// build error: stg: & takes conditions; write \(x > a\) & \(x < b\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return select(v(x) & v(x), v(x), 0.0);  // <- here
};
auto compiled = stg::compile<model>();
