// The twin of bias_width.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto a = stg::parameter<"a", 16>;
constexpr auto b = stg::parameter<"b", 7>;
constexpr auto model = [](auto v) {
  return linear(v(x) * v(a), W, b);
};
auto compiled = stg::compile<model>();
