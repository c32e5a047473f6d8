// Bounds of a slice between the brackets.
// build error: stg: slice takes its bounds as constants of the program: slice<0, 4>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return slice(v(x), 0, 4);  // <- here
};
auto compiled = stg::compile<model>();
