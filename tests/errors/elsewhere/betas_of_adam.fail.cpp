// The betas of adam.
// build error: stg: adam has no betas; write \{\.beta1 = 0\.9, \.beta2 = 0\.999\}
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();
stg::adam optimizer(params, {.betas = {0.9, 0.999}});  // <- here
