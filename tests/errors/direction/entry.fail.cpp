// A label of another direction.
// build error: stg: x\[i\] mixes in-edges and out-edges; aggregate one of them first
// allows: further errors
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  return sum(in.src(x)[out.dst(label)]);  // <- here
};
auto compiled = stg::compile<model>();
