// The twin of count_of_vertices.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return count(v.in_edges().src(x) > 0.0);
};
auto compiled = stg::compile<model>();
