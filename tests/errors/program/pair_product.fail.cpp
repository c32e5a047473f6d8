// A product that is to be computed with a sum.
// build error: stg: together\(a, b\) is refused for a product or a scan, a pass of its own; pair what follows
// names: friends
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 4>;
constexpr auto W = stg::parameter<"W", 4, 4>;
constexpr auto model = [](auto v) {
  auto friends = stg::named<"friends">(sum(v.in_edges().src(x)));
  auto y = matmul(v(x), W);
  together(friends, y);
  return friends + y;
};
auto compiled = stg::compile<model>();  // <- here
