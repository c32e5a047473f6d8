// A width that is known only when tensors are bound, next to another.
// build error: stg: \+ takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/stg.hpp>

constexpr auto f = stg::vertex_feature<"f", stg::extent<"F">>;
constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto model = [](auto v) {
  return v(f) + v(x);  // <- here
};
auto compiled = stg::compile<model>();
