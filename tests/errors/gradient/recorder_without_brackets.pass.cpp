// The twin of recorder_without_brackets.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
void run(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& dY) {
  auto params = stg::parameters<model>();
  auto recorder = stg::compile_for_training<model>();
  auto tape = recorder.record(graph, x = X, params);
  stg::adam(params).step(tape.backward(dY));
}
