// The twin of decay_of_another.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto target = stg::vertex_feature<"target", 7>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto b = stg::parameter<"b", 7>;
constexpr auto loss = [](auto v) {
  return mse(matmul(v(x), W) + b, v(target));
};
auto params = stg::parameters<loss>();

void configure(stg::adam<decltype(params)>& optimizer) { optimizer.weight_decay(W, 5e-4); }
