// Arithmetic on what only stores.
// build error: stg: NAME takes no bf16 or f16, which only store; write cast<f32>\(x\)
// each NAME: + - * / < <= == != > >=
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto h = stg::cast<stg::bf16>(v(x));
  return h NAME h;  // <- here
};
auto compiled = stg::compile<model>();
