// A function of a sparse feature.
// build error: stg: NAME takes no sparse feature; it can be scaled, dropped out and multiplied: matmul\(v\(x\), W\)
// each NAME: abs acos asin atan cbrt ceil cos cosh detach elu erf exp2 expm1 floor hardtanh leaky_relu
// each NAME: log log1p log2 log_softmax reciprocal round rsqrt selu sigmoid sign silu sin sinh softplus
// each NAME: sqrt square tan tanh is_nan cast<stg::f64> named<"n"> reshape<4,4> slice<0,4> transpose<0,0> exp gelu
// each NAME: stored tag<"n">
#include <stg/stg.hpp>

constexpr auto words = stg::sparse_feature<"words", 16>;
constexpr auto W = stg::parameter<"W", 16, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(words));  // <- here
};
auto compiled = stg::compile<model>();
