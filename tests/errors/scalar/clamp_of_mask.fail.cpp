// A mask between bounds.
// build error: stg: clamp takes numbers; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return clamp(v(mask), 0, 1);  // <- here
};
auto compiled = stg::compile<model>();
