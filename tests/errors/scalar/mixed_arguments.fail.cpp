// Arguments of two types.
// build error: stg: NAME mixes scalar types; write cast<f32>\(x\) or cast<f64>\(x\)
// each NAME: fmod max min pow training binary
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto d = stg::vertex_feature<"d", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(x), v(d));  // <- here
};
auto compiled = stg::compile<model>();
