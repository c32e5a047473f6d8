// The twin of edge_value_of_vertex.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  auto message = e.src(x) * e(w);
  return v(x) + sum(message);
};
auto compiled = stg::compile<model>();
