// A mask counted without a number type.
// build error: stg: sum takes numbers; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(mask));  // <- here
};
auto compiled = stg::compile<model>();
