// An operator on conditions.
// build error: stg: NAME takes numbers; write cast<f32>\(x\)
// each NAME: * - / <= > >=
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  return v(mask) NAME v(mask);  // <- here
};
auto compiled = stg::compile<model>();
