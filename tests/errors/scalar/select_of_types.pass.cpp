// The twin of select_of_types.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto t = stg::vertex_feature<"t", stg::f64, 16>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return select(v(mask), v(x), cast<stg::f32>(v(t)));
};
auto compiled = stg::compile<model>();
