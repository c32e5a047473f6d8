// An axis that the value has not got.
// build error: stg: NAME\(x, axis<i>\) takes one of the value's feature axes; axis<0> is the first
// each NAME: max mean
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return NAME(v(x), stg::axis<1>);  // <- here
};
auto compiled = stg::compile<model>();
