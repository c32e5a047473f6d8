// The twin of assignment.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  auto y = v(x);
  auto z = y + sum(e.src(x));
  return relu(z);
};
auto compiled = stg::compile<model>();
