// A number added to a sparse feature: no number of it would stay 0.
// build error: stg: \+ takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto x = stg::sparse_feature<"x", 1433>;
constexpr auto W = stg::parameter<"W", 1433, 16>;
constexpr auto model = [](auto v) {
  return matmul(v(x) + 1.0, W);  // <- here
};
auto compiled = stg::compile<model>();
