// A factor that no float holds.
// build error: stg: a number is none of the type that it meets, as 0\.5 beside an i32; write cast<f32>\(x\) > 0\.5
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * 1e300;
};
auto compiled = stg::compile<model>();  // <- here
