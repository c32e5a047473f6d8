// clamp of what only stores.
// build error: stg: clamp takes no bf16 or f16, which only store; write cast<f32>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto h = stg::cast<stg::bf16>(v(x));
  return clamp(h, 0.0, 1.0);  // <- here
};
auto compiled = stg::compile<model>();
