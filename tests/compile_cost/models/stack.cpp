// Sixteen layers as a scan, a training step of them: compiled as one.
#include <stg/stg.hpp>  // the language, scan

namespace {

inline constexpr auto x = stg::vertex_feature<"x", 32>;
inline constexpr auto target = stg::vertex_feature<"target", 32>;
inline constexpr auto W = stg::over<16>(stg::parameter<"W", 32, 32>);
inline constexpr auto b = stg::over<16>(stg::parameter<"b", 32>);
inline constexpr auto stack = [](auto v) {
  return stg::scan<16>(
      v, [](auto v, auto h) { return h + relu(matmul(mean(v.in_edges().src(h)), W) + b); }, v(x));
};
inline constexpr auto loss = [](auto v) { return mse(stack(v), v(target)); };

}  // namespace

float stack_of_layers(const stg::graph& graph, const stg::tensor<float>& rows, const stg::tensor<float>& goal) {
  auto weights = stg::parameters<loss>();
  return stg::value_and_grad<loss>()(graph, x = rows, target = goal, weights).loss;
}
