// The twin of collected_in_concat.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 16>);
constexpr auto z = stg::vertex_feature<"z", 16>;
constexpr auto body = [](auto v) {
  return tanh(v(x));
};
constexpr auto model = [](auto v) {
  auto y = stg::scan<"T">(v, body);
  return stg::concat<stg::axis<0>>(mean(y, stg::all_steps), v(z));
};
auto compiled = stg::compile<model>();
