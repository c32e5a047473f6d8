// The twin of types.fail.cpp.
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto cap = stg::vertex_feature<"cap", stg::f64, 8>;
constexpr auto model = [](auto v) {
  return stg::apply<softcap>(v(x), cast<stg::f32>(v(cap)));
};
auto compiled = stg::compile<model>();
