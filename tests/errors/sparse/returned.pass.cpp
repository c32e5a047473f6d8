// The twin of returned.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 1433>;
constexpr auto W = stg::parameter<"W", 1433, 16>;
constexpr auto model = [](auto v) {
  return matmul(dropout(v(x), 0.5), W);
};
auto compiled = stg::compile<model>();
