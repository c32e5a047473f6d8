// Values of in-edges and of out-edges.
// names: x
// or: operator+
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(x) + v.out_edges().dst(x));  // <- here
};
int main() { auto layer = stg::compile<model>(); }
