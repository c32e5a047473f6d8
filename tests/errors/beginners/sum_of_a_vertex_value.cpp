// A sum over edges of what is not on edges.
// names: h
// or: sum
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  auto h = relu(v(x));
  return sum(h);  // <- here
};
int main() { auto layer = stg::compile<model>(); }
