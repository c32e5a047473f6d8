// A function of integers.
// build error: stg: NAME takes a real value; write cast<f32>\(x\)
// each NAME: acos asin atan cbrt ceil cos cosh elu erf exp2 expm1 hardtanh leaky_relu log log1p log2
// each NAME: log_softmax reciprocal relu round rsqrt selu sigmoid sign silu sinh softplus sqrt tan tanh
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(codes));  // <- here
};
auto compiled = stg::compile<model>();
