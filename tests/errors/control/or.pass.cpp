// The twin of or.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto below = v(x)<0.0, above = v(x)> 1.0;
  return select(below | above, 0.0, v(x));
};
auto compiled = stg::compile<model>();
