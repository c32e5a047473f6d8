// A helper that returns outputs, taken apart.
// names: helper
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x">;
inline constexpr auto helper = [](auto v) {
  return stg::outputs(v(x), relu(v(x)));
};
inline constexpr auto model = [](auto v) {
  auto [a, b] = helper(v);  // <- here
  return a + b;
};
int main() { auto layer = stg::compile<model>(); }
