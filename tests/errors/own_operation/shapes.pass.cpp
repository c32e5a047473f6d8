// The twin of shapes.fail.cpp.
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto cap = stg::parameter<"cap", 8>;
constexpr auto model = [](auto v) {
  return stg::apply<softcap>(v(x), cap);
};
auto compiled = stg::compile<model>();
