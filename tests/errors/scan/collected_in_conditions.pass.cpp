// The twin of collected_in_conditions.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto mask = stg::vertex_feature<"mask", stg::boolean, 16>;
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return (mean(y, stg::all_steps) > 0.0) NAME v(mask);
};
auto compiled = stg::compile<model>();
