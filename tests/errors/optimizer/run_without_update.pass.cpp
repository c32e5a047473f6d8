// The twin of run_without_update.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16>;
constexpr auto loss = [](auto v) {
  return mean(sum(square(v(x) - W), stg::axis<0>), stg::all_vertices);
};
auto params = stg::parameters<loss>();

void train(const stg::graph& graph, const stg::tensor<float>& X) {
  stg::sgd optimizer(params, {.learning_rate = 0.1});
  auto step = stg::value_and_grad<loss>();
  step.run(100, optimizer, graph, x = X, params);
}
