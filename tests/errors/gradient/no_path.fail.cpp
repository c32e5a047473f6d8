// A parameter that the loss depends on only through a comparison.
// build error: stg: an input has no gradient; no real output depends on it differentiably
// instead of: input_has_no_gradient
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto limit = stg::parameter<"limit">;
constexpr auto model = [](auto v) {
  auto above = cast<stg::f32>(v(x) > v(limit));
  return mean(above, stg::all_vertices);
};
auto step = stg::value_and_grad<model>();  // <- here
