// The brackets of v.in_edges() forgotten.
// build error: stg: v\.in_edges and v\.out_edges are called: auto e = v\.in_edges\(\);
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges;
  return sum(e.src(x));  // <- here
};
auto compiled = stg::compile<model>();
