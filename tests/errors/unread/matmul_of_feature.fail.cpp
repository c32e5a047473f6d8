// A dense product of a feature that was not read.
// build error: stg: matmul takes a value and a parameter; read the feature first: matmul\(v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return relu(matmul(x, W));  // <- here
};
auto compiled = stg::compile<model>();
