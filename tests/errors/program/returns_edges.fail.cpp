// The edges as the result.
// build error: stg: a program returns values, not edges; aggregate what they read: return sum\(e\.src\(x\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v.in_edges();
};
auto compiled = stg::compile<model>();  // <- here
