// A pass of one's own given to training.
// names: cheap
#include <stg/examine.hpp>
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto W = stg::parameter<"W", 34, 8>;
inline constexpr auto loss = [](auto v) {
  return mean(sum(tanh(matmul(v(x), W)), stg::axis<0>), stg::all_vertices);
};
inline constexpr auto cheap = [](const stg::ir::program& p) {
  return p;
};
int main() {
  const auto g = stg::graph::from_edges(2, {0}, {1});
  stg::tensor<float> X({2, 34});
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.01});
  auto step = stg::value_and_grad<loss, cheap>();  // <- here
  for (int epoch = 0; epoch < 10; ++epoch) {
    auto now = step(g, x = X, params);
    if (now.loss < 0.1f) break;
    optimizer.step(now.gradients);
  }
}
