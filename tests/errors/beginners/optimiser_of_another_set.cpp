// Gradients of one set for the optimiser of another.
// names: U
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto y = stg::vertex_feature<"y", 4>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto U = stg::parameter<"U", 8, 4>;
inline constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(y));
};
inline constexpr auto other = [](auto v) {
  return mse(matmul(v(x), U), v(y));
};
int main() {
  const auto g = stg::graph::from_edges(2, {0}, {1});
  stg::tensor<float> X({2, 8}), Y({2, 4});
  auto params = stg::parameters<loss>();
  auto others = stg::parameters<other>();
  stg::adam optimizer(others, {.learning_rate = 0.01});
  auto now = stg::value_and_grad<loss>()(g, x = X, y = Y, params);
  optimizer.step(now.gradients);  // <- here
}
