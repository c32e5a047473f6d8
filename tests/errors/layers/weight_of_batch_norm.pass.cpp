// The twin of weight_of_batch_norm.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto m = stg::graph_feature<"m", 16>;
constexpr auto s = stg::graph_feature<"s", 16>;
constexpr auto g = stg::parameter<"g", 16>;
constexpr auto model = [](auto v) {
  auto [y, mean, variance] = stg::nn::batch_norm(v(x), m, s);
  return stg::outputs(g * y, m = mean, s = variance);
};
auto compiled = stg::compile<model>();
