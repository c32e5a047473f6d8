// A vertex feature read as the edge's own.
// build error: stg: e\(x\) takes an edge feature; read a vertex feature with e\.src\(x\) or e\.dst\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto w = stg::edge_feature<"w", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e(w) * e(x));  // <- here
};
auto compiled = stg::compile<model>();
