// A value of doubles whose rows are to be of two bytes a number.
// build error: stg: stored_as\(x\) is refused for numbers that are not f32; cast<f32>\(x\) first, or leave it out
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", stg::f64, 16>;
constexpr auto model = [](auto v) {
  return sum(v.in_edges().src(stg::stored_as<stg::bf16>(exp(v(x)))));
};
auto compiled = stg::compile<model>();  // <- here
