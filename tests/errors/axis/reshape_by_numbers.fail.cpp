// A shape between the brackets.
// build error: stg: reshape takes the shape as constants of the program: reshape<8, 4>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return reshape(v(x), 4, 4);  // <- here
};
auto compiled = stg::compile<model>();
