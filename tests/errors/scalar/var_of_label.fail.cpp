// A variance of labels.
// build error: stg: var takes a real value; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return var(v.in_edges().src(label));  // <- here
};
auto compiled = stg::compile<model>();
