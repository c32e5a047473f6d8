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
  const auto g = stg::graph::from_edges(2, {0}, {1});
  stg::tensor<float> X({2, 8}), Y({2, 4});
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.01});
  auto step = stg::value_and_grad<loss>();  // <- here
  for (int epoch = 0; epoch < 10; ++epoch) {
    auto now = step(g, x = X, y = Y, params);
    if (now.loss < 0.1f) break;
    optimizer.step(now.gradients);
  }
}
