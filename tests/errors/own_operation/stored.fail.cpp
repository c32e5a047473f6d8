// An operation of your own takes a number that is only stored.
// build error: stg: an operation takes no bf16 or f16, which only store; write cast<f32>\(x\)
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  return cast<stg::f32>(stg::apply<softcap>(cast<stg::bf16>(v(x)), 2));  // <- here
};
auto compiled = stg::compile<model>();
