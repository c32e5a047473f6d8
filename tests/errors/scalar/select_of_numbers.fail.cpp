// select between two numbers: nothing says their type.
// build error: stg: select takes at least one computed value; of 1 and 0 write cast<f32>\(condition\)
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return select(v(mask), 1.0, 0.0);  // <- here
};
auto compiled = stg::compile<model>();
