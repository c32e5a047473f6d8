// A choice between in-edges and out-edges.
// build error: stg: select mixes in-edges and out-edges; aggregate one of them first
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto from = v.in_edges();
  auto to = v.out_edges();
  auto strong = from.src(x) > 0.0;
  return sum(select(strong, to.dst(x), 0.0));  // <- here
};
auto compiled = stg::compile<model>();
