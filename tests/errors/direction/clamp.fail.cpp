// Bounds of another direction.
// build error: stg: clamp mixes in-edges and out-edges; aggregate one of them first
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  return sum(clamp(in.src(x), out.dst(x), 1.0));  // <- here
};
auto compiled = stg::compile<model>();
