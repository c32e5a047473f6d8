// A number read like a feature.
// build error: stg: v\(x\) takes a vertex feature, a parameter or a computed vertex value
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * v(2.0);  // <- here
};
auto compiled = stg::compile<model>();
