// A graph after what is bound.
// build error: stg: a call takes its graph first; write \(graph, x = X, \.\.\.\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  auto recorder = stg::compile_for_training<model>();
  auto tape = recorder.record(x = X, W = weights, graph);  // <- here
  return tape.backward(tape.output());
}
