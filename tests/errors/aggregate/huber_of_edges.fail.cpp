// A loss of edge values beside vertex values.
// build error: stg: huber takes values of vertices alone or of edges alone; aggregate x: sum\(x\), or read e\.dst\(y\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return huber(v.in_edges().src(x), v(y));  // <- here
};
auto compiled = stg::compile<model>();
