// A constant with an axis that has no elements.
// build error: stg: full takes a scalar type, if any, and then at most four extents: full<f64, 8, 16>\(0\.5\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(x) * stg::full<0>(0.5);  // <- here
};
auto compiled = stg::compile<model>();
