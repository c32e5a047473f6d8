// Minus of a mask.
// build error: stg: - takes a number; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return -v(mask);  // <- here
};
auto compiled = stg::compile<model>();
