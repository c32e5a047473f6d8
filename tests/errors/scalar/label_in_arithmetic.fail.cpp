// A label scaled like a feature.
// build error: stg: \* mixes scalar types; write cast<f32>\(x\) or cast<f64>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return v(x) * v(label);  // <- here
};
auto compiled = stg::compile<model>();
