// Conditions put in order.
// build error: stg: < takes numbers; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return (v(x) > 0.0) < (v(x) > 1.0);  // <- here
};
auto compiled = stg::compile<model>();
