// The twin of function_of_the_vertex.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
inline constexpr auto mlp = [](auto h) {
  return relu(matmul(h, W));
};
constexpr auto model = [](auto v) {
  return stg::nn::gin_conv(v, v(x), mlp);
};
auto compiled = stg::compile<model>();
