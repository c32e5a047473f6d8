// A normalisation that lost its axis.
// build error: stg: / takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto model = [](auto v) {
  return v(h) / sum(v(h), stg::axis<1>);  // <- here
};
auto compiled = stg::compile<model>();
