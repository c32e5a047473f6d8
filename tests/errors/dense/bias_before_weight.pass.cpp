// The twin of bias_before_weight.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 4>;
constexpr auto b = stg::parameter<"b", 4>;
constexpr auto model = [](auto v) {
  return linear(v(x), W, b);
};
auto compiled = stg::compile<model>();
