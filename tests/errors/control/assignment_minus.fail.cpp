// -= on a value.
// build error: stg: x -= y cannot change a value of a program; write auto z = x - y
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto y = v(x);
  y -= 2.0;  // <- here
  return y;
};
auto compiled = stg::compile<model>();
