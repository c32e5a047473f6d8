// The twin of momentum_above_1.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto m = stg::graph_feature<"m", 16>;
constexpr auto s = stg::graph_feature<"s", 16>;
constexpr auto model = [](auto v) {
  auto [y, mean, variance] = stg::nn::batch_norm(v(x), m, s, 0.1);
  return stg::outputs(y, m = mean, s = variance);
};
auto compiled = stg::compile<model>();
