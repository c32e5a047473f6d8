// The larger of two conditions.
// build error: stg: max takes numbers; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return max(v(x) > 0.0, v(x) < 1.0);  // <- here
};
auto compiled = stg::compile<model>();
