// A minimum over edges of a vertex value.
// build error: stg: min aggregates an edge value; read the vertex value as e\.src\(x\), or min\(x, axis<0>\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return min(v(x));  // <- here
};
auto compiled = stg::compile<model>();
