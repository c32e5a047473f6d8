// A dense tensor for a sparse feature.
// build error: stg: an input takes another kind of tensor: of its scalar type, edge_values\(w\), edge_steps\(w\), a sparse_tensor
// names: x
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 1433>;
constexpr auto W = stg::parameter<"W", 1433, 16>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
auto layer = stg::compile<model>();

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  return layer(graph, x = X, W = weights);  // <- here
}
