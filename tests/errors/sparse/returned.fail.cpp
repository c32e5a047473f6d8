// A sparse feature as a result.
// build error: stg: a program returns dense values; multiply the sparse feature: return matmul\(v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 1433>;
constexpr auto W = stg::parameter<"W", 1433, 16>;
constexpr auto model = [](auto v) {
  return dropout(v(x), 0.5);
};
auto compiled = stg::compile<model>();  // <- here
