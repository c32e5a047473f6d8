// v.in_edges without its brackets.
// names: in_edges
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  auto e = v.in_edges;
  return mean(e.src(x));  // <- here
};
int main() { auto layer = stg::compile<model>(); }
