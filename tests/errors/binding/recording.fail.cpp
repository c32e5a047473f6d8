// A recorded call without its parameters; what is made of the tape has no mistake of its own.
// build error: stg: an input is not bound; add name = tensor to the call
// names: W
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(v(x), W));
};
auto result(const stg::graph& graph, const stg::tensor<float>& X) {
  auto recorder = stg::compile_for_training<model>();
  auto tape = recorder.record(graph, x = X);  // <- here
  auto out = tape.output();
  return tape.backward(out)[W](0, 0);
}
