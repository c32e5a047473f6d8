// The twin of is_nan_of_label.fail.cpp.
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return select(is_nan(cast<stg::f32>(v(label))), 0.0, v(x));
};
auto compiled = stg::compile<model>();
