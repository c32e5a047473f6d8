// A loss of a sparse feature.
// build error: stg: NAME takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
// each NAME: cross_entropy nll
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return NAME(v(words), v(label));  // <- here
};
auto compiled = stg::compile<model>();
