// What a scan collected, in a pair.
// build error: stg: NAME takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
// each NAME: together apart
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  auto z = mean(y, stg::all_steps);
  NAME(z, y);  // <- here
  return z;
};
auto compiled = stg::compile<model>();
