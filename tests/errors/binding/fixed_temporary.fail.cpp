// A tensor without a name as a fixed input: it is gone before the next call.
// build error: stg: fixed refers to its tensor from call to call; give the tensor a name
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto layer = stg::compile<model>();

auto result(const stg::graph& graph, const stg::tensor<float>& weights) {
  return layer(graph, x = stg::fixed(stg::tensor<float>({3, 16})), W = weights);  // <- here
}
