// count of what a scan collected.
// build error: stg: count takes no value of all steps; in a scan read v\(y\), else mean\(y, all_steps\), stacked\(y\)
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return count(y);  // <- here
};
auto compiled = stg::compile<model>();
