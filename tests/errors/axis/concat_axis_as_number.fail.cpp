// concat with a number where an axis belongs.
// build error: stg: concat takes an axis that both values have: concat<axis<0>>\(a, b\)
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return concat<0>(v(x), v(x));  // <- here
};
auto compiled = stg::compile<model>();
