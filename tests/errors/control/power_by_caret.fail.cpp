// ^ for a power.
// build error: stg: \^ takes conditions, and is no power; write \(x > a\) \^ \(x > b\), or pow\(x, n\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) ^ 2;  // <- here
};
auto compiled = stg::compile<model>();
