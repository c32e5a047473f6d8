// A value where a function takes a number.
// build error: stg: dropout takes a number, known while compiling: dropout\(x, 0\.5\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return dropout(v(x), v(x));  // <- here
};
auto compiled = stg::compile<model>();
