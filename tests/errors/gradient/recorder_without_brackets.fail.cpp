// What is recorded, within the brackets of compile_for_training.
// build error: stg: what is recorded stands behind \(\): stg::compile_for_training<model>\(\)\.record\(graph, x = X\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
void run(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& dY) {
  auto params = stg::parameters<model>();
  auto tape = stg::compile_for_training<model>(graph, x = X, params);  // <- here
  stg::adam(params).step(tape.backward(dY));
}
