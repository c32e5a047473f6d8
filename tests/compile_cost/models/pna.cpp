// One layer of principal neighbourhood aggregation as a user compiles it: a training step and a plain call.
#include <stg/stg.hpp>  // the language, pna_conv

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 32>;
inline constexpr auto target = stg::vertex_feature<"target", 16>;
inline constexpr auto near = stg::parameter<"near", 32, 8>;
inline constexpr auto far = stg::parameter<"far", 32, 8>;
inline constexpr auto all = stg::parameter<"all", 128, 16>;  // 32 + 12 · 8
inline constexpr auto layer = [](auto v) { return stg::nn::pna_conv(v, v(x), near, far, all, 1.0); };
inline constexpr auto loss = [](auto v) { return mse(layer(v), v(target)); };

}  // namespace

float pna(const stg::graph& graph, const stg::tensor<float>& rows, const stg::tensor<float>& goal) {
  auto weights = stg::parameters<loss>();
  stg::adam optimizer(weights, {.learning_rate = 0.01});
  optimizer.step(stg::value_and_grad<loss>()(graph, x = rows, target = goal, weights).gradients);
  return *stg::compile<layer>()(graph, x = rows, weights).data();
}
