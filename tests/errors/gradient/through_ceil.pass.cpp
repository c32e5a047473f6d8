// The twin of through_ceil.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto W = stg::parameter<"W">;
constexpr auto model = [](auto v) {
  auto y = v(x) * v(W);
  return mean(y * (y - ceil(detach(y))), stg::all_vertices);
};
auto step = stg::value_and_grad<model>();
