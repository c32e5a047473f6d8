// Arguments of two directions.
// build error: stg: NAME mixes in-edges and out-edges; aggregate one of them first
// each NAME: fmod max min pow training binary
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  return sum(NAME(in.src(x), out.dst(x)));  // <- here
};
auto compiled = stg::compile<model>();
