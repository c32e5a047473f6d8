// A mask of numbers for huber.
// build error: stg: huber takes one mask per vertex or edge: vertex_feature<"mask", boolean>
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto weight = stg::vertex_feature<"weight">;
constexpr auto model = [](auto v) {
  return huber(v(x), v(y), 1.0, v(weight));  // <- here
};
auto compiled = stg::compile<model>();
