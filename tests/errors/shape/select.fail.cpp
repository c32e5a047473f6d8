// A choice between two widths.
// build error: stg: select takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean>;
constexpr auto model = [](auto v) {
  return select(v(mask), v(x), v(y));  // <- here
};
auto compiled = stg::compile<model>();
