// A function of what only stores.
// build error: stg: NAME takes no bf16 or f16, which only store; write cast<f32>\(x\)
// each NAME: fmod max min pow training binary
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto h = stg::cast<stg::bf16>(v(x));
  auto g = stg::cast<stg::bf16>(sum(v(x), stg::axis<0>));
  return NAME(h, g);  // <- here
};
auto compiled = stg::compile<model>();
