// nll of edge values.
// build error: stg: nll takes values of vertices alone or of edges alone; aggregate x: sum\(x\), or read e\.dst\(y\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return nll(v.in_edges().src(x), v(label));  // <- here
};
auto compiled = stg::compile<model>();
