// A step that forgets the labels.
// names: label
#include <stg/stg.hpp>
inline constexpr auto x = stg::vertex_feature<"x", 8>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto W = stg::parameter<"W", 8, 4>;
inline constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));
};
int main() {
  const auto g = stg::graph::from_edges(2, {0}, {1});
  stg::tensor<float> X({2, 8});
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.01});
  auto step = stg::value_and_grad<loss>();
  auto now = step(g, x = X, params);  // <- here
  optimizer.step(now.gradients);
}
