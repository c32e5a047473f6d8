// A function of a condition.
// build error: stg: NAME takes a number; write cast<f32>\(x\)
// each NAME: abs square
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(mask));  // <- here
};
auto compiled = stg::compile<model>();
