// The twin of fixed_gradient.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return mean(sum(matmul(v(x), W), stg::axis<0>), stg::all_vertices);
};

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  auto step = stg::value_and_grad<model>();
  return step(graph, x = stg::fixed(X), W = weights);
}
