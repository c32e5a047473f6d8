// A parameter gathered from the source.
// build error: stg: e\.src and e\.dst take a vertex value; a parameter is the same everywhere: v\(W\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto a = stg::parameter<"a", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(x) * e.src(a));  // <- here
};
auto compiled = stg::compile<model>();
