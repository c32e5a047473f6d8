// The twin of bounds_exchanged.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return clamp(v(x), -1.0, 1.0);
};
auto compiled = stg::compile<model>();
