// The twin of fixed_temporary.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto layer = stg::compile<model>();

auto result(const stg::graph& graph, const stg::tensor<float>& weights) {
  const stg::tensor<float> X({3, 16});
  return layer(graph, x = stg::fixed(X), W = weights);
}
