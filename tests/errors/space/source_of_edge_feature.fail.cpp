// An edge feature gathered from the source.
// build error: stg: e\.src and e\.dst take a vertex value; an edge value is read as e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(x) * e.src(w));  // <- here
};
auto compiled = stg::compile<model>();
