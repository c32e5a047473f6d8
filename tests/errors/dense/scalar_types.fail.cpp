// A dense product of f64 rows with an f32 parameter.
// build error: stg: matmul mixes scalar types; write cast<f32>\(x\) or cast<f64>\(x\)
#include <stg/stg.hpp>

constexpr auto t = stg::vertex_feature<"t", stg::f64, 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(t), W);  // <- here
};
auto compiled = stg::compile<model>();
