// A momentum above 1: eps and it have no such order.
// build error: stg: momentum is a share between 0 and 1, and eps stands behind it: batch_norm\(h, m, s, 0\.1, 1e-5\)
// names: momentum
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto m = stg::graph_feature<"m", 16>;
constexpr auto s = stg::graph_feature<"s", 16>;
constexpr auto model = [](auto v) {
  auto [y, mean, variance] = stg::nn::batch_norm(v(x), m, s, 16);
  return stg::outputs(y, m = mean, s = variance);
};
auto compiled = stg::compile<model>();  // <- here
