// The twin of and.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto above = v(x) > 0.0, below = v(x) < 1.0;
  return select(above & below, v(x), 0.0);
};
auto compiled = stg::compile<model>();
