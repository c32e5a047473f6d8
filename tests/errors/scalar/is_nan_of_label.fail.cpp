// is_nan of a label.
// build error: stg: is_nan takes a real value; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return select(is_nan(v(label)), 0.0, v(x));  // <- here
};
auto compiled = stg::compile<model>();
