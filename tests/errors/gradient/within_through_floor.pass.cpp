// The twin of within_through_floor.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto total = sum(sum(v(x) - floor(detach(v(x))), stg::axis<0>), stg::all_vertices);
  return gradient(total, v(x));
};
auto compiled = stg::compile<model>();
