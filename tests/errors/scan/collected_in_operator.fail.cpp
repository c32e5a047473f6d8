// What a scan collected, in arithmetic.
// build error: stg: NAME takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
// each NAME: + - * / < <= == != > >=
#include <stg/stg.hpp>

constexpr auto y = stg::over<"T">(stg::vertex_feature<"y">);
constexpr auto body = [](auto v) {
  return mean(square(v(y)), stg::all_vertices);
};
constexpr auto model = [](auto v) {
  auto errors = stg::scan<"T">(v, body);
  return errors NAME 2.0;  // <- here
};
auto compiled = stg::compile<model>();
