// Weight decay among the options.
// build error: stg: weight decay is the optimiser's function: optimizer\.weight_decay\(5e-4\)
// each NAME: adam sgd
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();
stg::NAME optimizer(params, {.learning_rate = 0.1, .weight_decay = 5e-4});  // <- here
