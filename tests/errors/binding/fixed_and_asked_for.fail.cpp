// A gradient asked for by name, of an input that the recorded call fixes.
// build error: stg: an input is fixed and a gradient is made for it; bind it as name = tensor
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(sum(v.in_edges().src(x)), W));
};

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  auto layer = stg::compile_for_training<model, W, x>();
  return layer.record(graph, x = stg::fixed(X), W = weights);  // <- here
}
