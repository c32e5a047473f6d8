// Two conditions joined with &&.
// build error: stg: a && b cannot skip b in a program; write a & b
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto above = v(x) > 0.0, below = v(x) < 1.0;
  return select(above && below, v(x), 0.0);  // <- here
};
auto compiled = stg::compile<model>();
