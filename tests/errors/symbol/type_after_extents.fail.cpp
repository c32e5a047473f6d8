// The scalar type after the extents.
// build error: stg: a symbol has one scalar type and it comes before the extents: <"x", f64, 8>
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, stg::f64>;  // <- here
constexpr auto model = [](auto v) {
  return relu(v(h));
};
auto compiled = stg::compile<model>();
