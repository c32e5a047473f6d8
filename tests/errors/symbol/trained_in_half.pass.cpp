// The twin of trained_in_half.fail.cpp.
#include <stg/stg.hpp>

constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
auto compiled = stg::compile<model>();
