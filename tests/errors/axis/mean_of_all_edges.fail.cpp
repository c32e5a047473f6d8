// A mean over all edges of a vertex value.
// build error: stg: mean\(x, all_edges\) takes an edge value; of vertices write mean\(x, all_vertices\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return mean(v(x), stg::all_edges);  // <- here
};
auto compiled = stg::compile<model>();
