// The twin of neighbours_of_a_vertex.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(x));
};
auto compiled = stg::compile<model>();
