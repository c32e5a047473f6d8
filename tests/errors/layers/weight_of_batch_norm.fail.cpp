// A norm with a weight.
// build error: stg: a norm has no weight or bias of its own; write gain \* y \+ bias
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto m = stg::graph_feature<"m", 16>;
constexpr auto s = stg::graph_feature<"s", 16>;
constexpr auto g = stg::parameter<"g", 16>;
constexpr auto model = [](auto v) {
  auto [y, mean, variance] = stg::nn::batch_norm(v(x), m, s, g);  // <- here
  return stg::outputs(g * y, m = mean, s = variance);
};
auto compiled = stg::compile<model>();
