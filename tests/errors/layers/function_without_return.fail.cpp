// A function in a parameter's place that returns nothing.
// build error: stg: a function in a parameter's place returns nothing; write \[\]\(auto h\) \{ return \.\.\.; \}
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
inline constexpr auto mlp = [](auto h) {
  h = relu(matmul(h, W));
};
constexpr auto model = [](auto v) {
  return stg::nn::gin_conv(v, v(x), mlp);  // <- here
};
auto compiled = stg::compile<model>();
