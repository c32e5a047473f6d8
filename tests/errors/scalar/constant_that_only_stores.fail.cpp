// A constant of a type that only stores.
// build error: stg: bf16 and f16 only store; write cast<bf16>\(full<8>\(0\.5\)\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * stg::full<stg::bf16, 16>(0.5);  // <- here
};
auto compiled = stg::compile<model>();
