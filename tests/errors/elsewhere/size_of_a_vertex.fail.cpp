// The number of vertices as a size.
// build error: stg: vertices are counted by v\.vertex_count\(\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) / v.size();  // <- here
};
auto compiled = stg::compile<model>();
