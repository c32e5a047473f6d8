// A vertex in a product.
// build error: stg: a vertex and edges are no values; they read v\(x\), e\.src\(x\), and come first in a lambda: \[\]\(auto v\)
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return v * 2.0;  // <- here
};
auto compiled = stg::compile<model>();
