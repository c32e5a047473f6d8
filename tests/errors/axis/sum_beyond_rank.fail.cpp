// A sum along an axis that the value does not have.
// build error: stg: sum\(x, axis<i>\) takes one of the value's feature axes; axis<0> is the first
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto model = [](auto v) {
  return sum(v(h), stg::axis<7>);  // <- here
};
auto compiled = stg::compile<model>();
