// The sine of a label.
// build error: stg: sin takes a real value; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return sin(v(label));  // <- here
};
auto compiled = stg::compile<model>();
