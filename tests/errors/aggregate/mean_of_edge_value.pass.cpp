// The twin of mean_of_edge_value.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return mean(mean(e.src(x)), stg::all_vertices);
};
auto compiled = stg::compile<model>();
