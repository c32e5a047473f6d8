// A sum, and the sum of the neighbours' sums, in one pass.
// build error: stg: together\(a, b\) is refused where one is needed before the other is ready; leave it out
// names: second
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto model = [](auto v) {
  auto first = sum(v.in_edges().src(x)), second = stg::named<"second">(sum(v.in_edges().src(first)));
  together(first, second);
  return first * second;
};
auto compiled = stg::compile<model>();  // <- here
