// A gradient asked for a label.
// build error: stg: trainable takes a real input; labels and masks have no gradient
#include <stg/stg.hpp>

constexpr auto label = stg::trainable(stg::vertex_feature<"label", stg::i32>);  // <- here
constexpr auto model = [](auto v) {
  return cast<stg::f32>(v(label));
};
auto compiled = stg::compile<model>();
