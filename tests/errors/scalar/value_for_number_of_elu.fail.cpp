// A value where a function takes a number.
// build error: stg: elu takes a number, known while compiling: elu\(x, 1\.0\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return elu(v(x), v(x));  // <- here
};
auto compiled = stg::compile<model>();
