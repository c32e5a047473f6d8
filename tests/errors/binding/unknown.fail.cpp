// An input that the program does not read.
// build error: stg: the program has no input of this name; bind one that it reads
// names: y
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto layer = stg::compile<model>();

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  return layer(graph, x = X, W = weights, y = X);  // <- here
}
