// The gradient of an operation does not take the cotangent.
// build error: stg: the gradient of an operation takes the cotangent and each operand: \(auto d, auto x\)
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct cube : stg::elementwise<cube, "cube", 1> {
  STG_LANEWISE static auto value(auto x) { return x * x * x; }
  static constexpr auto gradient(auto x) { return 3.0 * x * x; }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  return stg::apply<cube>(v(x));  // <- here
};
auto compiled = stg::compile<model>();
