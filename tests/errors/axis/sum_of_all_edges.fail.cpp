// A sum over all edges of a vertex value.
// build error: stg: sum\(x, all_edges\) takes an edge value; of vertices write sum\(x, all_vertices\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v(x), stg::all_edges);  // <- here
};
auto compiled = stg::compile<model>();
