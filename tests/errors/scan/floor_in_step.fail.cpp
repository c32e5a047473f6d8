// A gradient that would have to pass through a step with floor in it.
// build error: stg: a gradient would pass through sign, floor, round or their like in the body of a scan; write detach\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto h0 = stg::vertex_feature<"h0", 8>;
constexpr auto W = stg::parameter<"W", 8, 8>;
constexpr auto loss = [](auto v) {
  auto h = stg::scan<"T">(
      v,
      [](auto v, auto h) {
        return floor(matmul(h, W)) + v(x);
      },
      v(h0));
  return sum(sum(h, stg::axis<0>), stg::all_vertices);
};
auto step = stg::value_and_grad<loss>();  // <- here
