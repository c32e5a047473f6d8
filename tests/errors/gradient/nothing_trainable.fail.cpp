// A training step without a parameter.
// build error: stg: nothing is trainable; use a parameter, or trainable\(\.\.\.\), or name the inputs
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x">;
constexpr auto model = [](auto v) {
  return mean(v(x) * v(x), stg::all_vertices);
};
auto step = stg::value_and_grad<model>();  // <- here
