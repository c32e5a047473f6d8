// A computed edge value gathered from the source: two hops without an aggregate between them.
// build error: stg: e\.src and e\.dst take a vertex value; an edge value is read as e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  auto message = e.src(x) * e(w);
  return sum(e.src(message));  // <- here
};
auto compiled = stg::compile<model>();
