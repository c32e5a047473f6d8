// A product over edges of a vertex value.
// build error: stg: prod aggregates an edge value; read the vertex value as e\.src\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return prod(v(x));  // <- here
};
auto compiled = stg::compile<model>();
