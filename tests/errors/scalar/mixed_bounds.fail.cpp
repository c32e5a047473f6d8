// Bounds of another type.
// build error: stg: clamp mixes scalar types; write cast<f32>\(x\) or cast<f64>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto d = stg::vertex_feature<"d", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return clamp(v(x), v(d), 1.0);  // <- here
};
auto compiled = stg::compile<model>();
