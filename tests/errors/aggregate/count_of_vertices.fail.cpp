// A count of a condition of the vertex.
// build error: stg: count takes a condition on edges, as e\.src\(x\) > 0\.0
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return count(v(x) > 0.0);  // <- here
};
auto compiled = stg::compile<model>();
