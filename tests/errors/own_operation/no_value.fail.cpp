// The struct of an operation has no function value.
// build error: stg: the struct of an operation has a function static auto value\(auto x\), one x per operand
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct cube : stg::elementwise<cube, "cube", 1> {
  STG_LANEWISE static auto values(auto x) { return x * x * x; }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  return stg::apply<cube>(v(x));  // <- here
};
auto compiled = stg::compile<model>();
