// Dropout as a module.
// build error: stg: dropout is a function of a value: dropout\(h, 0\.5\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto model = [](auto v) {
  auto h = matmul(v(x), W);
  return stg::dropout(0.5);  // <- here
};
auto compiled = stg::compile<model>();
