// A fixed input for which a gradient is made.
// build error: stg: an input is fixed and a gradient is made for it; bind it as name = tensor
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return mean(sum(matmul(v(x), W), stg::axis<0>), stg::all_vertices);
};

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  auto step = stg::value_and_grad<model>();
  return step(graph, x = stg::fixed(X), W = stg::fixed(weights));  // <- here
}
