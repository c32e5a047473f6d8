// The twin of added.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 1433>;
constexpr auto W = stg::parameter<"W", 1433, 16>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W) + 1.0;
};
auto compiled = stg::compile<model>();
