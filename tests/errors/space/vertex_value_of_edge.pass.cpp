// The twin of vertex_value_of_edge.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  auto y = relu(v(x));
  return sum(e(w) * e.src(y));
};
auto compiled = stg::compile<model>();
