// One graph convolution as a user compiles it: a training step and a plain call.
#include <stg/stg.hpp>  // the language, gcn_conv

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 32>;
inline constexpr auto target = stg::vertex_feature<"target", 16>;
inline constexpr auto W = stg::parameter<"W", 32, 16>;
inline constexpr auto layer = [](auto v) { return stg::nn::gcn_conv(v, v(x), W); };
inline constexpr auto loss = [](auto v) { return mse(layer(v), v(target)); };

}  // namespace

float gcn(const stg::graph& graph, const stg::tensor<float>& rows, const stg::tensor<float>& goal) {
  auto weights = stg::parameters<loss>();
  stg::adam optimizer(weights, {.learning_rate = 0.01});
  optimizer.step(stg::value_and_grad<loss>()(graph, x = rows, target = goal, weights).gradients);
  return *stg::compile<layer>()(graph, x = rows, weights).data();
}
