// A value where a function takes a number.
// build error: stg: leaky_relu takes a number, known while compiling: leaky_relu\(x, 0\.2\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return leaky_relu(v(x), v(x));  // <- here
};
auto compiled = stg::compile<model>();
