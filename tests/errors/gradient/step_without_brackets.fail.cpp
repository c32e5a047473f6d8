// What a step is given, within the brackets of value_and_grad.
// build error: stg: what is called stands behind \(\): stg::value_and_grad<loss>\(\)\(graph, x = X, params\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 4>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(y));
};
float result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& Y) {
  auto params = stg::parameters<loss>();
  stg::adam optimizer(params);
  auto now = stg::value_and_grad<loss>(graph, x = X, y = Y, params);  // <- here
  optimizer.step(now.gradients);
  return now.loss;
}
