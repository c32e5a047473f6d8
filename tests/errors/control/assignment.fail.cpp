// A value changed in place.
// build error: stg: x \+= y cannot change a value of a program; write auto z = x \+ y
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto e = v.in_edges();
  auto y = v(x);
  y += sum(e.src(x));  // <- here
  return relu(y);
};
auto compiled = stg::compile<model>();
