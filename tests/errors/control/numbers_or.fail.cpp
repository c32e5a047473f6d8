// A condition joined with a number.
// build error: stg: \| takes conditions; write \(x < a\) \| \(x > b\)
#include <stg/stg.hpp>

constexpr auto label = stg::vertex_feature<"label", stg::i32>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return select((v(x) > 0.0) | v(label), v(x), 0.0);  // <- here
};
auto compiled = stg::compile<model>();
