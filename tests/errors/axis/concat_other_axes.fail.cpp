// Values joined along one axis that differ in another.
// build error: stg: concat takes values whose other axes agree
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return concat<stg::axis<1>>(v(h), reshape<1, 16>(v(x)));  // <- here
};
auto compiled = stg::compile<model>();
