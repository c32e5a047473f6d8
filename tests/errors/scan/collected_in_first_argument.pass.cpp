// The twin of collected_in_first_argument.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return NAME(mean(y, stg::all_steps), 0.5);
};
auto compiled = stg::compile<model>();
