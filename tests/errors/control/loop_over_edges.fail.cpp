// A loop over the edges of a vertex.
// build error: stg: edges are not looped over; aggregate what they read: sum\(e\.src\(x\)\), mean, max, softmax
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto total = 0.0 * v(x);
  for (auto e : v.in_edges()) total = total + e.src(x);  // <- here
  return total;
};
auto compiled = stg::compile<model>();
