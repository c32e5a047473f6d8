// Messages along in-edges and out-edges joined before they are aggregated.
// build error: stg: concat mixes in-edges and out-edges; aggregate one of them first
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto from = v.in_edges();
  auto to = v.out_edges();
  return sum(concat<stg::axis<0>>(from.src(x), to.dst(x)));  // <- here
};
auto compiled = stg::compile<model>();
