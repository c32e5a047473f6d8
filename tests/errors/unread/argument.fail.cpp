// A function of a symbol.
// build error: stg: NAME takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
// each NAME: abs acos asin atan cbrt ceil cos cosh detach elu erf exp2 expm1 floor hardtanh leaky_relu
// each NAME: log log1p log2 log_softmax reciprocal round rsqrt selu sigmoid sign silu sin sinh softplus
// each NAME: sqrt square tan tanh is_nan stored cast<stg::f64> named<"n"> tag<"t"> reshape<4,4> slice<0,4> transpose<0,0>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(x);  // <- here
};
auto compiled = stg::compile<model>();
