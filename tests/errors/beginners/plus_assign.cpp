// A total that is added to.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  auto h = v(x);
  h += mean(v.in_edges().src(x));  // <- here
  return h;
};
int main() { auto layer = stg::compile<model>(); }
