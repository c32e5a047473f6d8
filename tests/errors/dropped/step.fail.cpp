// A step whose gradients nobody takes.
// build error: stg: this step's result is dropped and trains nothing: optimizer\.step\(now\.gradients\)
// flags: -Wno-error -Werror=unused-result
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto logits = [](auto v) {
  return matmul(v(x), W);
};
constexpr auto loss = [](auto v) {
  return mean(sum(logits(v), stg::axis<0>), stg::all_vertices);
};
auto params = stg::parameters<loss>();

auto work(const stg::graph& graph, const stg::tensor<float>& X) {
  stg::value_and_grad<loss>()(graph, x = X, params);  // <- here
}
