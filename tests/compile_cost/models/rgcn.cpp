// One relational convolution as a user compiles it: a training step and a plain call.
#include <stg/stg.hpp>  // the language, rgcn_conv

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 32>;
inline constexpr auto target = stg::vertex_feature<"target", 16>;
inline constexpr auto relation = stg::edge_feature<"relation", stg::i32>;
inline constexpr auto W = stg::parameter<"W", 32, 16>;
inline constexpr auto bases = stg::parameter<"bases", 2, 32, 16>;
inline constexpr auto mixture = stg::parameter<"mixture", 5, 2>;  // relations × bases
inline constexpr auto layer = [](auto v) { return stg::nn::rgcn_conv(v, v(x), relation, W, bases, mixture); };
inline constexpr auto loss = [](auto v) { return mse(layer(v), v(target)); };

}  // namespace

float rgcn(const stg::graph& graph, const stg::tensor<float>& rows, const stg::tensor<float>& goal,
           const stg::edge_values<std::int32_t>& kinds) {
  auto weights = stg::parameters<loss>();
  stg::adam optimizer(weights, {.learning_rate = 0.01});
  optimizer.step(stg::value_and_grad<loss>()(graph, x = rows, target = goal, relation = kinds, weights).gradients);
  return *stg::compile<layer>()(graph, x = rows, relation = kinds, weights).data();
}
