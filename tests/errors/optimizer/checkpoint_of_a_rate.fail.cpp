// A learning rate where save_checkpoint takes parameters and what trains them.
// build error: stg: save_checkpoint takes parameter sets, optimisers, plateaus and early stopping
#include <stg/stg.hpp>

#include <stg/data/checkpoint.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();
stg::adam optimizer(params);

void keep() {
  stg::save_checkpoint("run", params, optimizer.learning_rate());  // <- here
}
