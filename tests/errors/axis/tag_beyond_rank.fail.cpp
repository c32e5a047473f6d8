// A tag on an axis that a value does not have.
// build error: stg: tag names an axis that the value does not have; axis<0> is the first of its features
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto model = [](auto v) {
  return stg::tag<"head">(exp(v(h)), stg::axis<2>);  // <- here
};
auto compiled = stg::compile<model>();
