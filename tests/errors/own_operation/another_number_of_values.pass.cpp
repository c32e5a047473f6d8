// The twin of another_number_of_values.fail.cpp.
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  return stg::apply<softcap>(v(x), 2);
};
auto compiled = stg::compile<model>();
