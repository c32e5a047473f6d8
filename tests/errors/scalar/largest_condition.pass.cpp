// The twin of largest_condition.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return max(cast<stg::f32>(v(x) > 0.0), stg::axis<0>);
};
auto compiled = stg::compile<model>();
