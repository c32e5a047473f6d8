// The twin of several_values.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
inline constexpr auto m = stg::graph_feature<"m", 16>;
inline constexpr auto s = stg::graph_feature<"s", 16>;
constexpr auto model = [](auto v) {
  auto [y, mean, variance] = stg::nn::batch_norm(v(x), m, s);
  return stg::outputs(relu(y), m = mean, s = variance);
};
auto compiled = stg::compile<model>();
