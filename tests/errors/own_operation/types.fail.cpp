// An operation of your own mixes scalar types.
// build error: stg: an operation mixes scalar types; write cast<f32>\(x\) or cast<f64>\(x\)
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto cap = stg::vertex_feature<"cap", stg::f64, 8>;
constexpr auto model = [](auto v) {
  return stg::apply<softcap>(v(x), v(cap));  // <- here
};
auto compiled = stg::compile<model>();
