// select with a number where a condition belongs.
// build error: stg: select takes a condition first: select\(a > b, x, y\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return select(v(label), v(x), 0.0);  // <- here
};
auto compiled = stg::compile<model>();
