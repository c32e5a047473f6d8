// A cross entropy of one prediction per edge and one label per vertex.
// build error: stg: cross_entropy takes values of vertices alone or of edges alone; aggregate x: sum\(x\), or read e\.dst\(y\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return cross_entropy(e.src(x), v(label), v(mask));  // <- here
};
auto compiled = stg::compile<model>();
