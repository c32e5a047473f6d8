// The twin of no_gradient.fail.cpp.
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto W = stg::parameter<"W", 8>;
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto loss = [](auto v) {
  return mean(sum(W * stg::apply<softcap>(v(x), 2), stg::axis<0>), stg::all_vertices);
};
auto step = stg::value_and_grad<loss>();
