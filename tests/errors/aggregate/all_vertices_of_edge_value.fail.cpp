// A reduction over all vertices of an edge value.
// build error: stg: sum\(x, all_vertices\) takes a vertex value; aggregate edges first: sum\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(x), stg::all_vertices);  // <- here
};
auto compiled = stg::compile<model>();
