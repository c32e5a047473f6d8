// A loss for each vertex.
// names: loss
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto y = stg::vertex_feature<"y", 4>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto loss = [](auto v) {
  return sum(square(matmul(v(x), W) - v(y)), stg::axis<0>);
};
int main() {
  auto step = stg::value_and_grad<loss>();  // <- here
}
