// Edge values over all vertices.
// build error: stg: NAME\(x, all_vertices\) takes a vertex value; aggregate edges first: NAME\(x\)
// each NAME: max min
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(v.in_edges().src(x), stg::all_vertices);  // <- here
};
auto compiled = stg::compile<model>();
