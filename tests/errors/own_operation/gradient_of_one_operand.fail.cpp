// The gradient of an operation of two values gives one.
// build error: stg: the gradient of an operation gives a value per operand, several as a std::tuple
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct softcap : stg::elementwise<softcap, "softcap", 2> {
  STG_LANEWISE static auto value(auto x, auto cap) { return cap * tanh(x / cap); }
  static constexpr auto gradient(auto d, auto x, auto cap) { return d * x * cap; }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  return stg::apply<softcap>(v(x), 2);  // <- here
};
auto compiled = stg::compile<model>();
