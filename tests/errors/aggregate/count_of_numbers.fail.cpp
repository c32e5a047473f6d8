// A count of something that is true or false of no edge.
// build error: stg: count takes a condition, as e\.src\(x\) > 0\.0; for all edges v\.in_degree\(\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return count(v.in_edges().src(x));  // <- here
};
auto compiled = stg::compile<model>();
