// The twin of two_parameters.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 8>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
auto compiled = stg::compile<model>();
