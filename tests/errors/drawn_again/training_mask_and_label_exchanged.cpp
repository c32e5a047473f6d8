// Training: mask and label exchanged.
// names: cross_entropy
#include <stg/data/karate.hpp>
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 34>;
inline constexpr auto label = stg::vertex_feature<"label", stg::i32>;
inline constexpr auto known = stg::vertex_feature<"known", stg::boolean>;
inline constexpr auto W1 = stg::parameter<"W1", 34, 16>;
inline constexpr auto b1 = stg::parameter<"b1", 16>;
inline constexpr auto W2 = stg::parameter<"W2", 16, 4>;
inline constexpr auto gcn = [](auto v) {
  auto h = relu(stg::nn::gcn_conv(v, v(x), W1) + b1);
  return stg::nn::gcn_conv(v, h, W2);
};
inline constexpr auto loss = [](auto v) {
  return cross_entropy(gcn(v), v(known), v(label));
};  // <- here
int main() {
  const auto data = stg::karate_club();
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.01});
  auto step = stg::value_and_grad<loss>();
  auto now = step(data.graph, x = data.features, label = data.labels, known = data.train, params);
  optimizer.step(now.gradients);
}
