// A branch on a value.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x">;
inline constexpr auto model = [](auto v) {
  return v(x) > 0.0 ? v(x) : 0.1 * v(x);  // <- here
};
int main() { auto layer = stg::compile<model>(); }
