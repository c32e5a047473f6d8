// The twin of stored_in_clamp.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto h = v(x);
  return clamp(h, 0.0, 1.0);
};
auto compiled = stg::compile<model>();
