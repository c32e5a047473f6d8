// A slice whose bounds are arguments.
// names: slice
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto model = [](auto v) {
  return slice(v(x), 0, 4);  // <- here
};
int main() { auto layer = stg::compile<model>(); }
