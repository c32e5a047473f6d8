// More cotangents than outputs.
// build error: stg: backward takes one cotangent for each real output, in their order
// instead of: output_is_not_differentiable
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  auto tape = stg::compile_for_training<model>().record(graph, x = X, W = weights);
  return tape.backward(tape.output(), X)[W](0, 0);  // <- here
}
