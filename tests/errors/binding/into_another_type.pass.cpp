// The twin of into_another_type.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
void result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  auto layer = stg::compile<model>();
  stg::tensor<float> out({graph.vertices(), 7});
  layer.into(out, graph, x = X, W = weights);
}
