// Batch norm: running statistics are values that a step takes and gives back.
#include <stg/data/karate.hpp>  // karate_club
#include <stg/stg.hpp>          // the language

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x", 1>;
inline constexpr auto mean_so_far = stg::graph_feature<"mean_so_far", 1>;
inline constexpr auto var_so_far = stg::graph_feature<"var_so_far", 1>;
inline constexpr auto gain = stg::initialized(stg::parameter<"gain", 1>, stg::init::ones);
inline constexpr auto step_of = [](auto v) {
  auto [y, m, s] = stg::nn::batch_norm(v(x), mean_so_far, var_so_far);
  return stg::outputs(mse(gain * y, v(x)), mean_so_far = m, var_so_far = s);
};

int main() {
  const auto graph = stg::karate_club().graph;
  stg::tensor<float> degree({34, 1});
  for (std::int64_t v = 0; v < 34; ++v) degree(v, 0) = float(graph.in_degrees()[std::size_t(v)]);
  auto params = stg::parameters<step_of>();
  stg::initialize(params, 1);
  auto step = stg::value_and_grad<step_of>();
  auto m = stg::tensor<float>::full({1}, 0.0f), s = stg::tensor<float>::full({1}, 1.0f);
  for (int k = 0; k < 100; ++k) {
    auto now = step(graph, x = degree, mean_so_far = m, var_so_far = s, params);
    m = now.outputs[mean_so_far].clone(), s = now.outputs[var_so_far].clone();
  }
  std::printf("mean degree %.3f\n", m(0));  // 156 / 34
}

// last line: mean degree 4.588
