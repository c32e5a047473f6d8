// A function of integers.
// build error: stg: NAME takes a real value; write cast<f32>\(x\)
// each NAME: ceil elu hardtanh leaky_relu log_softmax reciprocal relu round selu sigmoid sign silu softplus tan unary
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(codes));  // <- here
};
auto compiled = stg::compile<model>();
