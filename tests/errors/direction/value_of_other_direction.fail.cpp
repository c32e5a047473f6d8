// A value of the in-edges read by the out-edges.
// build error: stg: e\(x\) takes a value of its own direction; aggregate the other direction first: sum\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto from = v.in_edges();
  auto to = v.out_edges();
  auto message = from.src(x) * 0.5;
  return sum(to.dst(x) * to(message));  // <- here
};
auto compiled = stg::compile<model>();
