// The twin of labels.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", stg::f64, 16>;
constexpr auto W = stg::parameter<"W", stg::f64, 16, 2>;
constexpr auto model = [](auto v) {
  return matmul(v(x), W);
};
auto compiled = stg::compile<model>();
