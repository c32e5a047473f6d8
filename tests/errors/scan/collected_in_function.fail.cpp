// A function of what a scan collected, along an axis that it has not.
// build error: stg: NAME takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
// each NAME: mean sum max
#include <stg/stg.hpp>

constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
constexpr auto body = [](auto v) {
  return mean(square(v(y)), stg::all_vertices);
};
constexpr auto model = [](auto v) {
  auto errors = stg::scan<"T">(v, body);
  return NAME(errors, stg::axis<0>);  // <- here
};
auto compiled = stg::compile<model>();
