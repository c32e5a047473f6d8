// Early stopping that stops nothing.
// build error: stg: stop_after says whether to stop: if \(stopping\.stop_after\(loss\)\) break;
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

auto work(stg::early_stopping<decltype(params)>& stopping) {
  stopping.stop_after(0.5);  // <- here
}
