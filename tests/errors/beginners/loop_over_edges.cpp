// A loop over the edges.
// names: in_edges
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  auto total = v(x);
  for (auto e : v.in_edges()) total = total + e.src(x);  // <- here
  return total;
};
int main() { auto layer = stg::compile<model>(); }
