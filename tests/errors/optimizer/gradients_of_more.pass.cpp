// The twin of gradients_of_more.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto b = stg::parameter<"b", 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W) + b, v(target));
};
auto params = stg::parameters<loss>();
auto optimizer = stg::adam(params);
auto step = stg::value_and_grad<loss, W, b, x>();

void train(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& goal) {
  auto now = step(graph, x = X, target = goal, params);
  optimizer.step(now.gradients.of(params));
}
