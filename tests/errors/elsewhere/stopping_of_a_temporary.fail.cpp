// Early stopping of parameters without a name.
// build error: stg: early_stopping refers to its parameters; give them a name first: auto params = stg::parameters<loss>\(\)
#include <stg/stg.hpp>

#include <stg/runtime/early_stopping.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W), v(target));
};
stg::early_stopping stopping(stg::parameters<loss>());  // <- here
