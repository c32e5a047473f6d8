// The twin of sum_of_other_names.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto b = stg::parameter<"b", 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W) + b, v(target));
};
auto of_both = stg::parameters<loss>();
auto step = stg::value_and_grad<loss>();

void accumulate(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& goal) {
  auto now = step(graph, x = X, target = goal, of_both);
  auto sum = of_both.zeros();
  stg::add(sum, now.gradients);
}
