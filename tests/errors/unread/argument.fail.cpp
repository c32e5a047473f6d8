// A function of a symbol.
// build error: stg: NAME takes values; read the feature first: v\(x\), e\.src\(x\), e\.dst\(x\) or e\(x\)
// each NAME: abs ceil detach elu floor hardtanh leaky_relu log_softmax reciprocal round selu sigmoid sign silu
// each NAME: softplus square tan is_nan stored cast<stg::f64> named<"n"> tag<"t"> reshape<4,4> slice<0,4>
// each NAME: transpose<0,0> unary
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(x);  // <- here
};
auto compiled = stg::compile<model>();
