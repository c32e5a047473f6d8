// A label compared with a half.
// build error: stg: a number is none of the type that it meets, as 0\.5 beside an i32; write cast<f32>\(x\) > 0\.5
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return v(label) >= 0.5;
};
auto compiled = stg::compile<model>();  // <- here
