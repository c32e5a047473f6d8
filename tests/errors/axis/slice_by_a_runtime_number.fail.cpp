// A bound of a slice that is known when the program runs.
// shown: stg: slice takes its bounds as constants of the program: slice<0, 4>\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
inline int classes = 4;
constexpr auto model = [](auto v) {
  return stg::slice<0, classes>(v(x));  // <- here
};

auto compiled = stg::compile<model>();
