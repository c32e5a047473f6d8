// A feature given back without reading it.
// build error: stg: outputs takes computed values, or symbol = value; read a feature first: v\(x\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return outputs(relu(v(x)), x);  // <- here
};
auto compiled = stg::compile<model>();
