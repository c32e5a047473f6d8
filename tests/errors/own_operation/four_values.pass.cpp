// The twin of four_values.fail.cpp.
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct cube : stg::elementwise<cube, "cube", 1> {
  STG_LANEWISE static auto value(auto x) { return x * x * x; }
  static constexpr auto gradient(auto d, auto x) { return 3.0 * d * x * x; }
};
constexpr auto x = stg::vertex_feature<"x", 8>;
constexpr auto model = [](auto v) {
  return stg::apply<cube>(v(x));
};
auto compiled = stg::compile<model>();
