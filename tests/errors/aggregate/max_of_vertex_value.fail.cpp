// A maximum over edges of a vertex value.
// build error: stg: max aggregates an edge value; read the vertex value as e\.src\(x\), or max\(x, axis<0>\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return max(v(x));  // <- here
};
auto compiled = stg::compile<model>();
