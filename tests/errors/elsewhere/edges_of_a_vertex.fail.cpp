// The edges of a vertex without their direction.
// build error: stg: a vertex has v\.in_edges\(\) and v\.out_edges\(\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto e = v.edges();  // <- here
  return sum(e.src(x));
};
auto compiled = stg::compile<model>();
