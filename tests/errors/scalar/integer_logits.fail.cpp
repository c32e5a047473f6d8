// Logits that are integers.
// build error: stg: cross_entropy takes real logits; write cast<f32>\(x\)
// allows: further errors
#include <stg/stg.hpp>

constexpr auto codes = stg::vertex_feature<"codes", stg::i32, 16>;
constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto model = [](auto v) {
  return cross_entropy(v(codes), v(label));  // <- here
};
auto compiled = stg::compile<model>();
