// Dropout of what dropout has been through.
// build error: stg: a sparse feature is dropped out once; give both probabilities in one: 1 - \(1 - p\) \* \(1 - q\)
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  return matmul(dropout(dropout(v(words), 0.5), 0.5), W);
};
auto compiled = stg::compile<model>();  // <- here
