// A call without its graph.
// build error: stg: a call takes its graph first; write \(graph, x = X, \.\.\.\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto result(const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  auto layer = stg::compile<model>();
  return layer(x = X, W = weights);  // <- here
}
