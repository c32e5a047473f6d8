// Many steps with a learning rate in place of an optimiser.
// build error: stg: run takes an optimiser, or a function of a step's result and its number, after the steps
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16>;
constexpr auto loss = [](auto v) {
  return mean(sum(square(v(x) - W), stg::axis<0>), stg::all_vertices);
};
auto params = stg::parameters<loss>();

void train(const stg::graph& graph, const stg::tensor<float>& X) {
  auto step = stg::value_and_grad<loss>();
  step.run(100, 0.1, graph, x = X, params);  // <- here
}
