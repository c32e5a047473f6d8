// One layer of attention as a user compiles it: a training step and a plain call.
#include <stg/stg.hpp>  // the language, gat_conv

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 32>;
inline constexpr auto target = stg::vertex_feature<"target", 16>;
inline constexpr auto W = stg::parameter<"W", 32, 16>;
inline constexpr auto from = stg::parameter<"from", 2, 8>;
inline constexpr auto to = stg::parameter<"to", 2, 8>;
inline constexpr auto layer = [](auto v) { return stg::reshape<16>(stg::nn::gat_conv(v, v(x), W, from, to)); };
inline constexpr auto loss = [](auto v) { return mse(layer(v), v(target)); };

}  // namespace

float gat(const stg::graph& graph, const stg::tensor<float>& rows, const stg::tensor<float>& goal) {
  auto weights = stg::parameters<loss>();
  stg::adam optimizer(weights, {.learning_rate = 0.01});
  optimizer.step(stg::value_and_grad<loss>()(graph, x = rows, target = goal, weights).gradients);
  return *stg::compile<layer>()(graph, x = rows, weights).data();
}
