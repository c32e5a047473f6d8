// A slice along an axis that the value has not got.
// build error: stg: slice takes one of the value's feature axes; axis<0> is the first
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return stg::slice<0, 4>(sum(v(x), stg::axis<0>));  // <- here
};
auto compiled = stg::compile<model>();
