// An aggregate of a sparse feature.
// build error: stg: NAME takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
// each NAME: argmax argmin log_sum_exp max mean min prod softmax stddev var
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(words));  // <- here
};
auto compiled = stg::compile<model>();
