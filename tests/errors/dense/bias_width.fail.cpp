// A linear layer whose bias has another width.
// build error: stg: \+ takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/stg.hpp>

constexpr auto x = stg::vertex_feature<"x", 16>;
constexpr auto W = stg::parameter<"W", 16, 7>;
constexpr auto a = stg::parameter<"a", 16>;
constexpr auto b = stg::parameter<"b", 7>;
constexpr auto model = [](auto v) {
  return linear(v(x), W, a);  // <- here
};
auto compiled = stg::compile<model>();
