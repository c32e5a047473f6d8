// Dropout of a label.
// build error: stg: dropout takes a real value; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return dropout(v(label), 0.5);  // <- here
};
auto compiled = stg::compile<model>();
