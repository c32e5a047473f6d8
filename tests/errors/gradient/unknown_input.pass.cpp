// The twin of unknown_input.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto model = [](auto v) {
  return mean(v(x) * v(x), stg::all_vertices);
};
auto step = stg::value_and_grad<model, x>();
