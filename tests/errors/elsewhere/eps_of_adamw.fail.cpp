// The epsilon of adamw.
// build error: stg: adamw has no eps; write \{\.epsilon = 1e-8\}
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
auto params = stg::parameters<loss>();
stg::adamw optimizer(params, {.eps = 1e-8});  // <- here
