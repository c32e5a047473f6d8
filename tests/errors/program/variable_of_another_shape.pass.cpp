// The twin of variable_of_another_shape.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto model = [](auto v) {
  auto h = v(x);
  auto y = matmul(h, W);
  return y;
};
auto compiled = stg::compile<model>();
