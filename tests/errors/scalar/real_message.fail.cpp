// An aggregate of integers whose result is none.
// build error: stg: NAME takes a real value; write cast<f32>\(x\)
// each NAME: log_sum_exp mean softmax stddev
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto model = [](auto v) {
  return NAME(v.in_edges().src(codes));  // <- here
};
auto compiled = stg::compile<model>();
