// A gradient for an input that the program does not read.
// build error: stg: a gradient is asked for an input that the program does not read
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto y = stg::vertex_feature<"y">;
constexpr auto model = [](auto v) {
  return mean(v(x) * v(x), stg::all_vertices);
};
auto step = stg::value_and_grad<model, y>();  // <- here
