// A feature scaled without reading it.
// build error: stg: \* takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e.src(x * 0.5));  // <- here
};
auto compiled = stg::compile<model>();
