// The upper bound first.
// build error: stg: the lower bound comes first: clamp\(x, -1\.0, 1\.0\), hardtanh\(x, -1\.0, 1\.0\)
// names: clamp
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return clamp(v(x), 1.0, -1.0);
};
auto compiled = stg::compile<model>();  // <- here
