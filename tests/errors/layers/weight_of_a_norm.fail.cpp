// A norm with a weight.
// build error: stg: a norm has no weight or bias of its own; write gain \* layer_norm\(h\) \+ bias
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto g = stg::parameter<"g", 16>;
constexpr auto model = [](auto v) {
  return stg::nn::layer_norm(v(x), g, g);  // <- here
};
auto compiled = stg::compile<model>();
