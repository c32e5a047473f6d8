// The twin of vertex_feature_of_edge.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * e.src(x));
};
auto compiled = stg::compile<model>();
