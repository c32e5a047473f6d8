// Heads subtracted from features: axes are matched from the right.
// build error: stg: - takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/stg.hpp>

constexpr auto h = stg::vertex_feature<"h", 8, 16>;
constexpr auto y = stg::vertex_feature<"y", 8>;
constexpr auto model = [](auto v) {
  return v(h) - v(y);  // <- here
};
auto compiled = stg::compile<model>();
