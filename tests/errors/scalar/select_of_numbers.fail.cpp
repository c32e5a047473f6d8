// select between two numbers: nothing says their type.
// build error: stg: select takes values and at least one is computed; read the feature first: v\(x\)
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return select(v(mask), 1.0, 0.0);  // <- here
};
auto compiled = stg::compile<model>();
