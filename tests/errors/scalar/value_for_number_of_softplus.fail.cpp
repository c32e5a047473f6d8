// A value where a function takes a number.
// build error: stg: softplus takes a number, known while compiling: softplus\(x, 1\.0, 20\.0\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return softplus(v(x), v(x));  // <- here
};
auto compiled = stg::compile<model>();
