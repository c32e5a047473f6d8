// A symbol of the same name that is declared with another shape.
// build error: stg: the bound symbol is declared differently in the program; bind the symbol it reads
// names: x
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto wide = stg::vertex_feature<"x", 32>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto layer = stg::compile<model>();

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  return layer(graph, wide = X, W = weights);  // <- here
}
