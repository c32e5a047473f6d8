// Targets of type i32 for binary cross entropy.
// build error: stg: bce_with_logits takes real values of one type; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto y = stg::vertex_feature<"y", stg::i32, 8>;
constexpr auto model = [](auto v) {
  return bce_with_logits(v(x), v(y));  // <- here
};
auto compiled = stg::compile<model>();
