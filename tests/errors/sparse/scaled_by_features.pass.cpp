// The twin of scaled_by_features.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 1433>;
constexpr auto W = stg::parameter<"W", 1433, 16>;
constexpr auto importance = stg::parameter<"importance", 1433>;
constexpr auto model = [](auto v) {
  auto weighted = stg::reshape<1433, 1>(v(importance)) * W;
  return matmul(v(x), weighted);
};
auto compiled = stg::compile<model>();
