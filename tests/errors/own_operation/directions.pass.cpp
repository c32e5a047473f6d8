// The twin of directions.fail.cpp.
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  auto in = v.in_edges();
  return sum(stg::apply<softcap>(in.src(x), in.dst(x)));
};
auto compiled = stg::compile<model>();
