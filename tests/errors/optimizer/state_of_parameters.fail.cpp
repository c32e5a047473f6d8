// Parameters where save_state takes what trains them.
// build error: stg: save_state takes an optimiser, a plateau or early stopping; save_parameters takes a set
#include <stg/stg.hpp>

#include <stg/data/checkpoint.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto b = stg::parameter<"b", 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W) + b, v(target));
};
auto params = stg::parameters<loss>();

void keep() {
  stg::save_state(params, "run");  // <- here
}
