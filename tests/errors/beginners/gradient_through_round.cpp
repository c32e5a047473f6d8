// A gradient through a step function.
// names: W
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto y = stg::vertex_feature<"y", 4>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto loss = [](auto v) {
  return mse(round(matmul(v(x), W)), v(y));
};
int main() {
  auto step = stg::value_and_grad<loss>();  // <- here
}
