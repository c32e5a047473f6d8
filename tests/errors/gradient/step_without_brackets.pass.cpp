// The twin of step_without_brackets.fail.cpp.
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
  auto step = stg::value_and_grad<loss>();
  auto now = step(graph, x = X, y = Y, params);
  optimizer.step(now.gradients);
  return now.loss;
}
