// A sparse feature in a pair.
// build error: stg: NAME takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
// each NAME: together apart
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  auto y = tanh(matmul(v(words), W));
  NAME(y, v(words));  // <- here
  return y;
};
auto compiled = stg::compile<model>();
