// An edge feature read as the vertex's own.
// build error: stg: v\(x\) takes a vertex feature; an edge feature is read as e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(x)) * v(w);  // <- here
};
auto compiled = stg::compile<model>();
