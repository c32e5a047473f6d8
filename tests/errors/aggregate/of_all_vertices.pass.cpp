// The twin of of_all_vertices.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(NAME(v.in_edges().src(x)), stg::all_vertices);
};
auto compiled = stg::compile<model>();
