// A value chosen with the conditional operator.
// build error: stg: if and \? cannot look at a value, programs have no branches; write select\(a > b, x, y\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) > 0.0 ? v(x) : -v(x);  // <- here
};
auto compiled = stg::compile<model>();
