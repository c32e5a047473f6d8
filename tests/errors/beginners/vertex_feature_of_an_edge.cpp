// A vertex feature read as one of the edge.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  return sum(e(x));  // <- here
};
int main() { auto layer = stg::compile<model>(); }
