// A computed vertex value read as the edge's own.
// build error: stg: e\(x\) takes an edge value; read a vertex value with e\.src\(x\) or e\.dst\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  auto y = relu(v(x));
  return sum(e(w) * e(y));  // <- here
};
auto compiled = stg::compile<model>();
