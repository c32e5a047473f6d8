// The number of edges asked of the edges.
// build error: stg: edges are counted at their vertex: v\.in_degree\(\), v\.out_degree\(\)
// each NAME: in_degree out_degree size
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) / v.in_edges().NAME();  // <- here
};
auto compiled = stg::compile<model>();
