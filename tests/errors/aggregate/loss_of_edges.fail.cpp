// A loss of edge values.
// build error: stg: NAME takes values of vertices alone or of edges alone; aggregate x: sum\(x\), or read e\.dst\(y\)
// each NAME: bce_with_logits l1 mse
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(v.in_edges().src(x), v(x));  // <- here
};
auto compiled = stg::compile<model>();
