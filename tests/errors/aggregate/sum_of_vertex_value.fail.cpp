// A sum over edges of a vertex value.
// build error: stg: sum aggregates an edge value; read the vertex value as e\.src\(x\), or sum\(x, axis<0>\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return sum(v(x));  // <- here
};
auto compiled = stg::compile<model>();
