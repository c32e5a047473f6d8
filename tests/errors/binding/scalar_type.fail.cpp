// A tensor of doubles for an f32 feature.
// build error: stg: an input takes another kind of tensor: of its scalar type, edge_values\(w\), edge_steps\(w\), a sparse_tensor
// names: x
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto layer = stg::compile<model>();

auto result(const stg::graph& graph, const stg::tensor<double>& X, const stg::tensor<float>& weights) {
  return layer(graph, x = X, W = weights);  // <- here
}
