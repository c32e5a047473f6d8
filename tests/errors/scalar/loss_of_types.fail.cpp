// A loss of two types.
// build error: stg: NAME takes real values of one type; write cast<f32>\(x\)
// each NAME: huber l1 mse
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto d = stg::vertex_feature<"d", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(x), v(d));  // <- here
};
auto compiled = stg::compile<model>();
