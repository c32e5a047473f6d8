// The twin of backward_of_a_model.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();
auto compiled = stg::compile<loss>();
auto step = stg::value_and_grad<loss>();

void train([[maybe_unused]] const stg::graph& graph, [[maybe_unused]] const stg::tensor<float>& X,
           [[maybe_unused]] const stg::tensor<float>& Y) {
  [[maybe_unused]] const auto now = step(graph, x = X, target = Y, params);
}
