// Values with different numbers of axes joined.
// build error: stg: concat takes values with the same number of axes
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return concat<stg::axis<0>>(v(h), v(x));  // <- here
};
auto compiled = stg::compile<model>();
