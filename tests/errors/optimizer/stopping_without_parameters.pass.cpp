#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return cross_entropy(matmul(v(x), W), v(label));
};
auto params = stg::parameters<loss>();
auto step = stg::value_and_grad<loss>();

void train(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<std::int32_t>& Y) {
  auto now = step(graph, x = X, label = Y, params);
  stg::early_stopping stopping(params, {.patience = 30});
  if (stopping.stop_after(now.loss)) return;
}
