// The fraction of a trained value, with a gradient.
// build error: stg: a gradient would pass through floor, which has none; write x \+ detach\(floor\(x\) - x\) to pass it on
// instead of: operation_has_no_gradient
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto W = stg::parameter<"W">;
constexpr auto model = [](auto v) {
  auto y = v(x) * v(W);
  return mean(y * (y - floor(y)), stg::all_vertices);
};
auto step = stg::value_and_grad<model>();  // <- here
