// A parameter that the other direction chooses.
// build error: stg: matmul mixes in-edges and out-edges; aggregate one of them first
// allows: further errors
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto per_class = stg::parameter<"per_class", 3, 16, 16>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  auto out = v.out_edges();
  return sum(matmul(in.src(x), per_class[out.dst(label)]));  // <- here
};
auto compiled = stg::compile<model>();
