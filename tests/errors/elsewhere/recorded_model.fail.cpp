// A tape of a compiled model.
// build error: stg: a tape is of a program for training: stg::compile_for_training<model>\(\)\.record\(graph, \.\.\.\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};

auto result(const stg::graph& graph, const stg::tensor<float>& X, const stg::tensor<float>& weights) {
  return stg::compile<model>().record(graph, x = X, W = weights).output().clone();  // <- here
}
