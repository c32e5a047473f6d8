// The twin of saves_an_input.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return stg::NAME(matmul(v(x), W));
};
auto compiled = stg::compile<model>();
