// A forecast over a graph: a gated recurrent cell behind a convolution reads eight steps and says the ninth.
#include <stg/stg.hpp>  // the language

#include <cmath>   // sin
#include <cstdio>  // printf

inline constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 1>);
inline constexpr auto target = stg::vertex_feature<"target", 1>;
inline constexpr auto W = stg::parameter<"W", 1, 8>;
inline constexpr auto I = stg::parameter<"I", 8, 24>;
inline constexpr auto S = stg::parameter<"S", 8, 16>;
inline constexpr auto N = stg::parameter<"N", 8, 8>;
inline constexpr auto b = stg::parameter<"b", 24>;
inline constexpr auto out = stg::parameter<"out", 8, 1>;
inline constexpr auto forecast = [](auto v) {
  const stg::nn::tgcn cell{W, I, S, N, b};
  auto h = stg::scan<"T">(
      v, [=](auto v, auto h) { return cell(v, v(x), h); }, stg::zeros<8>(v));
  return matmul(h, out);
};
inline constexpr auto loss = [](auto v) { return mse(forecast(v), v(target)); };

int main() {
  const auto ring =
      stg::graph::from_edges(12, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0});
  const auto graph = ring.to_undirected().add_self_loops();
  stg::tensor<float> X({8, 12, 1}), Y({12, 1});
  for (std::int64_t v = 0; v < 12; ++v) {
    for (std::int64_t t = 0; t < 8; ++t) X(t, v, 0) = float(std::sin(0.5 * double(t) + 0.5236 * double(v)));
    Y(v, 0) = float(std::sin(0.5 * 8 + 0.5236 * double(v)));
  }
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.02});
  auto step = stg::value_and_grad<loss>();
  float last = 0;
  for (int epoch = 0; epoch < 300; ++epoch) {
    auto now = step(graph, x = X, target = Y, params);
    optimizer.step(now.gradients);
    last = now.loss;
  }
  std::printf("mean squared error below 0.05: %s\n", last < 0.05f ? "yes" : "no");
}

// last line: mean squared error below 0.05: yes
