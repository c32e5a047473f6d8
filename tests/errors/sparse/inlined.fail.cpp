// A promise about a sparse feature.
// build error: stg: inlined takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return matmul(inlined(v(words)), W);  // <- here
};
auto compiled = stg::compile<model>();
