// One name with two shapes.
// names: x
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto other = stg::vertex_feature<"x", 16>;
inline constexpr auto model = [](auto v) {
  return sum(v(x), stg::axis<0>) + sum(v(other), stg::axis<0>);
};
int main() {
  auto layer = stg::compile<model>();  // <- here
}
