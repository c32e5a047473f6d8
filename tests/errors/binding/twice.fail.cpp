// An input bound twice.
// build error: stg: an input is bound twice; bind each input once
// names: x
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto layer = stg::compile<model>();

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  return layer(graph, x = X, W = weights, x = X);  // <- here
}
