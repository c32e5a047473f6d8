// The twin of assignment_times.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto y = v(x);
  auto z = y * 2.0;
  return z;
};
auto compiled = stg::compile<model>();
