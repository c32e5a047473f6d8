// The twin of adding_conditions.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return cast<stg::f32>(v(x) > 0.0) + cast<stg::f32>(v(x) < 1.0);
};
auto compiled = stg::compile<model>();
