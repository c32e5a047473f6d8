// An input bound by ==.
// build error: stg: an input is bound by one =, and compared as a value that is read; write x = X
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
auto layer = stg::compile<model>();

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  return layer(graph, x == X, W = weights);  // <- here
}
