// A parameter that the loss depends on only through rounding.
// build error: stg: a gradient would pass through round, which has none; write x \+ detach\(round\(x\) - x\) to pass it on
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto W = stg::parameter<"W">;
constexpr auto model = [](auto v) {
  return mean(round(v(x) * v(W)), stg::all_vertices);
};
auto step = stg::value_and_grad<model>();  // <- here
