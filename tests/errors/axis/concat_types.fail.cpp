// Values of two scalar types joined.
// build error: stg: concat mixes scalar types; write cast<f32>\(x\) or cast<f64>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto t = stg::vertex_feature<"t", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return concat<stg::axis<0>>(v(x), v(t));  // <- here
};
auto compiled = stg::compile<model>();
