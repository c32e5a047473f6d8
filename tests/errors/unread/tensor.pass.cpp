// The twin of tensor.fail.cpp.
#include <stg/stg.hpp>

inline constexpr auto x = stg::vertex_feature<"x", 16>;
inline constexpr auto W = stg::parameter<"W", 16, 16>;
const stg::tensor<float> T({16, 16});
constexpr auto model = [](auto v) {
  return relu(v(x)) + v(x);
};
auto compiled = stg::compile<model>();
