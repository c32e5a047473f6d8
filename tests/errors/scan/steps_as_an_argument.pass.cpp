// The twin of steps_as_an_argument.fail.cpp.
#include <stg/stg.hpp>

constexpr auto x = stg::over<"T">(stg::vertex_feature<"x", 8>);
inline constexpr auto h0 = stg::vertex_feature<"h0", 8>;
inline constexpr auto body = [](auto v, auto h) {
  return stg::tanh(v(x) + h);
};
constexpr auto model = [](auto v) {
  return stg::scan<"T">(v, body, v(h0));
};
auto compiled = stg::compile<model>();
