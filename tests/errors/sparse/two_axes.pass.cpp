// The twin of two_axes.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 8 * 16>;
constexpr auto W = stg::parameter<"W", 128, 2>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
auto compiled = stg::compile<model>();
