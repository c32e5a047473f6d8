// Conditions of shapes that do not broadcast.
// build error: stg: & takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return select((v(x) > 0.0) & (v(y) > 0.0), v(x), 0.0);  // <- here
};
auto compiled = stg::compile<model>();
