// A computed edge value used as the vertex's own.
// build error: stg: v\(x\) takes a vertex value; aggregate the edge value first: sum\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  auto message = e.src(x) * e(w);
  return v(x) + v(message);  // <- here
};
auto compiled = stg::compile<model>();
