// The shapes of what an operation of your own takes do not go together.
// build error: stg: an operation takes shapes that broadcast; these differ in an axis where none is 1
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto cap = stg::parameter<"cap", 4>;
constexpr auto model = [](auto v) {
  return stg::apply<softcap>(v(x), cap);  // <- here
};
auto compiled = stg::compile<model>();
