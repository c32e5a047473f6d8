// Bounds of another shape.
// build error: stg: clamp takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto low = stg::parameter<"low", 8>;
constexpr auto model = [](auto v) {
  return clamp(v(x), low, 1.0);  // <- here
};
auto compiled = stg::compile<model>();
