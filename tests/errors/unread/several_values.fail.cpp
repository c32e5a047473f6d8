// What batch_norm gives as one value.
// build error: stg: a function takes one value, and this is several; take them apart: auto \[y, mean, variance\] = \.\.\.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
inline constexpr auto m = stg::graph_feature<"m", 16>;
inline constexpr auto s = stg::graph_feature<"s", 16>;
constexpr auto model = [](auto v) {
  auto y = stg::nn::batch_norm(v(x), m, s);
  return relu(y);  // <- here
};
auto compiled = stg::compile<model>();
