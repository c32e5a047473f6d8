// Conditions of two widths.
// build error: stg: NAME takes shapes that broadcast; these differ in an axis where none is 1
// each NAME: ^ |
#include <stg/stg.hpp>

constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto other = stg::vertex_feature<"other", stg::boolean, 7>;
constexpr auto model = [](auto v) {
  return v(mask) NAME v(other);  // <- here
};
auto compiled = stg::compile<model>();
