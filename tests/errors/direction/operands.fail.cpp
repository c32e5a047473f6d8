// Operands of two directions.
// build error: stg: NAME mixes in-edges and out-edges; aggregate one of them first
// each NAME: - * / < <= == != > >=
// allows: further errors
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  return sum(stg::cast<stg::f32>(in.src(x) NAME out.dst(x)));  // <- here
};
auto compiled = stg::compile<model>();
