// A prediction and a target of two widths.
// build error: stg: NAME takes a prediction and a target of the same shape
// each NAME: bce_with_logits huber
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 16>;
constexpr auto z = stg::vertex_feature<"z", 7>;
constexpr auto model = [](auto v) {
  return NAME(v(x), v(z));  // <- here
};
auto compiled = stg::compile<model>();
