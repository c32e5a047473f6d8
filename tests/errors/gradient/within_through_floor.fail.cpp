// A derivative inside of a program that would pass through floor.
// build error: stg: gradient\(y, x\) would pass through sign, floor, ceil, round or fmod's divisor; write detach\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  auto total = sum(sum(v(x) - floor(v(x)), stg::axis<0>), stg::all_vertices);
  return gradient(total, v(x));
};
auto compiled = stg::compile<model>();  // <- here
