// select between f32 and f64.
// build error: stg: select mixes scalar types; write cast<f32>\(x\) or cast<f64>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto t = stg::vertex_feature<"t", stg::f64, 16>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return select(v(mask), v(x), v(t));  // <- here
};
auto compiled = stg::compile<model>();
