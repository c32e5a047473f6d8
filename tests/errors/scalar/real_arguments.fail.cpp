// A function of two integers.
// build error: stg: NAME takes real values; write cast<f32>\(x\)
// each NAME: fmod pow binary
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto model = [](auto v) {
  return NAME(v(codes), v(codes));  // <- here
};
auto compiled = stg::compile<model>();
