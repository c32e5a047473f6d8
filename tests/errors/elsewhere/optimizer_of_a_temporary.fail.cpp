// An optimiser of parameters without a name.
// build error: stg: an optimiser refers to its parameters; give them a name first: auto params = stg::parameters<loss>\(\)
// each NAME: adam adamw sgd
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
stg::NAME optimizer(stg::parameters<loss>());  // <- here
