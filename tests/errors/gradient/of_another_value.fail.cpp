// A derivative by a value that the number is not computed from.
// build error: stg: gradient\(y, x\) takes a value x that y is computed from; name x before y uses it
// names: gradient
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto total = sum(sum(tanh(v(x)), stg::axis<0>), stg::all_vertices);
  return gradient(total, 2.0 * v(x));
};
auto compiled = stg::compile<model>();  // <- here
