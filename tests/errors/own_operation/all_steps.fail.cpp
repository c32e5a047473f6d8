// An operation of your own takes what a scan gave for all steps.
// build error: stg: an operation takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
#include <stg/elementwise.hpp>
#include <stg/stg.hpp>

struct cube : stg::elementwise<cube, "cube", 1> {
  STG_LANEWISE static auto value(auto x) { return x * x * x; }
  static constexpr auto gradient(auto d, auto x) { return 3.0 * d * x * x; }
};
constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
constexpr auto model = [](auto v) {
  auto all = stg::scan<"T">(v, [](auto v) {
    return 2.0 * v(x);
  });
  return mean(stg::apply<cube>(all), stg::all_steps);  // <- here
};
auto compiled = stg::compile<model>();
