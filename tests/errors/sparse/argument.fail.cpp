// A function of a sparse feature.
// build error: stg: NAME takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
// each NAME: abs ceil detach elu floor hardtanh leaky_relu log_softmax reciprocal round selu sigmoid sign silu
// each NAME: softplus square tan is_nan cast<stg::f64> named<"n"> reshape<4,4> slice<0,4> transpose<0,0> gelu stored
// each NAME: tag<"n"> unary
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(words));  // <- here
};
auto compiled = stg::compile<model>();
