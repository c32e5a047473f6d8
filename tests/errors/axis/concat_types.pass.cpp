// The twin of concat_types.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto t = stg::vertex_feature<"t", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return concat<stg::axis<0>>(v(x), cast<stg::f32>(v(t)));
};
auto compiled = stg::compile<model>();
