// A mask of real numbers for a loss.
// build error: stg: mse takes one mask per vertex or edge: vertex_feature<"mask", boolean>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto mask = stg::vertex_feature<"mask">;
constexpr auto model = [](auto v) {
  return mse(v(x), v(y), v(mask));  // <- here
};
auto compiled = stg::compile<model>();
