// f32 and f64 in one operator.
// build error: stg: - mixes scalar types; write cast<f32>\(x\) or cast<f64>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto t = stg::vertex_feature<"t", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return v(t) - v(x);  // <- here
};
auto compiled = stg::compile<model>();
