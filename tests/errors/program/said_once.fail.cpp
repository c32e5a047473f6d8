// A mistake in a lambda is one message, whatever is asked of the program and done with what it gives.
// build error: stg: sum aggregates an edge value; read the vertex value as e\.src\(x\), or sum\(x, axis<0>\)
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", stg::extent<"F">>;
inline constexpr auto y = stg::vertex_feature<"y", 4>;
inline constexpr auto W = stg::parameter<"W", stg::extent<"F">, 4>;
inline constexpr auto loss = [](auto v) {
  return mse(matmul(sum(v(x)), W), v(y));  // <- here
};
void train(const stg::graph& g, const stg::tensor<float>& X, const stg::tensor<float>& Y) {
  auto params = stg::parameters<loss>(stg::sized<"F">(8));
  stg::initialize(params, 1);
  stg::adam optimizer(params, {.learning_rate = 0.01});
  auto step = stg::value_and_grad<loss>();
  auto now = step(g, x = X, y = Y, params);
  optimizer.step(now.gradients);
  params[W](0, 0) = now.gradients[W](0, 0);
  auto out = stg::compile<loss>()(g, x = X, y = Y, params);
}
