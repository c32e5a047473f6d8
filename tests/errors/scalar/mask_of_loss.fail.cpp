// A mask of numbers.
// build error: stg: NAME takes one mask per vertex or edge: vertex_feature<"mask", boolean>
// each NAME: bce_with_logits l1
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto weight = stg::vertex_feature<"weight">;
constexpr auto model = [](auto v) {
  return NAME(v(x), v(y), v(weight));  // <- here
};
auto compiled = stg::compile<model>();
