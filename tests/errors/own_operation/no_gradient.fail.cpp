// A gradient would pass through an operation that has none.
// build error: stg: a gradient would pass through an operation of yours that has none; write a gradient in its struct
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto W = stg::parameter<"W", 8>;
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto loss = [](auto v) {
  return mean(sum(stg::apply<softcap>(W * v(x), 2), stg::axis<0>), stg::all_vertices);
};
auto step = stg::value_and_grad<loss>();  // <- here
