// Functions of two widths.
// build error: stg: NAME takes shapes that broadcast; these differ in an axis where none is 1
// each NAME: fmod min pow binary
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto z = stg::vertex_feature<"z", 7>;
constexpr auto model = [](auto v) {
  return NAME(v(x), v(z));  // <- here
};
auto compiled = stg::compile<model>();
