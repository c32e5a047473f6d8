// A gradient of your own: rounding that trains as if it were none.
#include <stg/stg.hpp>  // the language

#include <cstdio>  // printf

inline constexpr auto x = stg::vertex_feature<"x">;
inline constexpr auto target = stg::vertex_feature<"target">;
inline constexpr auto scale = stg::initialized(trainable(stg::scalar<"scale">), stg::init::ones);
inline constexpr auto rounded = stg::custom_gradient([](auto, auto y) { return round(y); },  // forwards
                                                     [](auto, auto d, auto) { return d; });  // straight through
inline constexpr auto model = [](auto v) { return rounded(v, scale * v(x)); };
inline constexpr auto loss = [](auto v) { return mse(model(v), v(target)); };

int main() {
  const auto graph = stg::graph::from_edges(4, {0}, {1});
  const auto X = stg::tensor<float>::from({4}, {1, 2, 3, 4}), Y = stg::tensor<float>::from({4}, {3, 6, 9, 12});
  auto params = stg::parameters<loss>();
  stg::initialize(params, 1);
  stg::sgd optimizer(params, {.learning_rate = 0.02});
  auto step = stg::value_and_grad<loss>();
  for (int k = 0; k < 100; ++k) optimizer.step(step(graph, x = X, target = Y, params).gradients);
  std::printf("4 becomes %g\n", stg::compile<model>()(graph, x = X, params)(3));
}

// last line: 4 becomes 12
