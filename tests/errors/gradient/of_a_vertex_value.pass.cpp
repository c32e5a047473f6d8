// The twin of of_a_vertex_value.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return gradient(sum(sum(v(x) * v(x), stg::axis<0>), stg::all_vertices), v(x));
};
auto compiled = stg::compile<model>();
