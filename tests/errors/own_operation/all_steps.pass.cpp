// The twin of all_steps.fail.cpp.
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct cube : stg::elementwise<cube, "cube", 1> {
  STG_LANEWISE static auto value(auto x) { return x * x * x; }
  static constexpr auto gradient(auto d, auto x) { return 3.0 * d * x * x; }
};
constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto model = [](auto v) {
  auto all = stg::scan<"T">(v, [](auto v) {
    return stg::apply<cube>(v(x));
  });
  return mean(all, stg::all_steps);
};
auto compiled = stg::compile<model>();
