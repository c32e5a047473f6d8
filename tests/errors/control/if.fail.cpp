// A branch on a value.
// build error: stg: if and \? cannot look at a value, programs have no branches; write select\(a > b, x, y\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto model = [](auto v) {
  if (v(x) > v(y)) return v(x);  // <- here
  return v(y);
};
auto compiled = stg::compile<model>();
