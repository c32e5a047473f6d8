// The derivative of many numbers at once.
// build error: stg: gradient\(y, x\) takes one number of the graph and a value: gradient\(sum\(y, all_vertices\), h\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return gradient(v(x) * v(x), v(x));  // <- here
};
auto compiled = stg::compile<model>();
