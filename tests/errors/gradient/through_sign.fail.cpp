// The sign of a trained value, with a gradient.
// build error: stg: a gradient would pass through sign, which has none; write x \+ detach\(sign\(x\) - x\) to pass it on
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto W = stg::parameter<"W">;
constexpr auto model = [](auto v) {
  auto y = v(x) * v(W);
  return mean(y * (y - sign(y)), stg::all_vertices);
};
auto step = stg::value_and_grad<model>();  // <- here
