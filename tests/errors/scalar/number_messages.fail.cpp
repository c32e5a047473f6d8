// An aggregate of conditions.
// build error: stg: NAME takes numbers; write cast<f32>\(x\)
// each NAME: argmax argmin min prod
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return NAME(v.in_edges().src(mask));  // <- here
};
auto compiled = stg::compile<model>();
