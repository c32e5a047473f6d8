// Sums over both directions in one pass.
// build error: stg: together\(a, b\) is refused for values of other rows, or sums of other edges; leave it out
// names: out
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  auto in = sum(v.in_edges().src(x)), out = stg::named<"out">(sum(v.out_edges().dst(x)));
  together(in, out);
  return in * out;
};
auto compiled = stg::compile<model>();  // <- here
