// An operation of two values is applied to one.
// build error: stg: the operation takes another number of values, the last argument of its base
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  return stg::apply<softcap>(v(x));  // <- here
};
auto compiled = stg::compile<model>();
