// One layer of the stack in stack.cpp, by itself.
#include <stg/stg.hpp>  // the language

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 32>;
inline constexpr auto target = stg::vertex_feature<"target", 32>;
inline constexpr auto W = stg::parameter<"W", 32, 32>;
inline constexpr auto b = stg::parameter<"b", 32>;
inline constexpr auto layer = [](auto v) { return v(x) + relu(matmul(mean(v.in_edges().src(v(x))), W) + b); };
inline constexpr auto loss = [](auto v) { return mse(layer(v), v(target)); };

}  // namespace

float layer_of_stack(const stg::graph& graph, const stg::tensor<float>& rows, const stg::tensor<float>& goal) {
  auto weights = stg::parameters<loss>();
  return stg::value_and_grad<loss>()(graph, x = rows, target = goal, weights).loss;
}
