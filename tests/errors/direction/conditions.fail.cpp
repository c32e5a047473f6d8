// Conditions of two directions.
// build error: stg: NAME mixes in-edges and out-edges; aggregate one of them first
// each NAME: & ^ |
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  return count(in.src(mask) NAME out.dst(mask));  // <- here
};
auto compiled = stg::compile<model>();
