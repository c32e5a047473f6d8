// A function of what a scan collected.
// build error: stg: NAME takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
// each NAME: abs ceil detach elu floor hardtanh leaky_relu log_softmax reciprocal relu round selu sigmoid sign silu
// each NAME: softplus square tan is_nan cast<stg::f64> reshape<4,4> slice<0,4> transpose<0,0> gelu
// each NAME: unary
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return NAME(y);  // <- here
};
auto compiled = stg::compile<model>();
